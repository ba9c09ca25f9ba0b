import { grantOperator, listOperators, takeOperator } from "@/lib/community";
import { contract } from "@/lib/contract";
import { endpoint } from "@/lib/http/endpoint";
import { methodsBesides } from "@/lib/http/methods";

export const GET = endpoint(contract.desk.operators, listOperators);
export const PUT = endpoint(contract.desk.grant, grantOperator);
export const DELETE = endpoint(contract.desk.take, takeOperator);
export const { POST, PATCH } = methodsBesides("GET", "PUT", "DELETE");
