import { contract } from "@/lib/contract";
import { endpoint } from "@/lib/http/endpoint";
import { methodsBesides } from "@/lib/http/methods";
import { spend } from "@/lib/session/automation";

export const POST = endpoint(contract.auth.spend, spend);
export const { GET, PUT, PATCH, DELETE } = methodsBesides("POST");
