import { enrolLeaf, getCrowd, withdrawFromCrowd } from "@/lib/community";
import { contract } from "@/lib/contract";
import { endpoint } from "@/lib/http/endpoint";
import { methodsBesides } from "@/lib/http/methods";

export const GET = endpoint(contract.crowd.get, getCrowd);
export const PUT = endpoint(contract.crowd.enrol, enrolLeaf);
export const DELETE = endpoint(contract.crowd.withdraw, withdrawFromCrowd);
export const { POST, PATCH } = methodsBesides("GET", "PUT", "DELETE");
