import { addPush, getPush, removePush } from "@/lib/community";
import { contract } from "@/lib/contract";
import { endpoint } from "@/lib/http/endpoint";
import { methodsBesides } from "@/lib/http/methods";

export const GET = endpoint(contract.push.get, getPush);
export const POST = endpoint(contract.push.add, addPush);
export const DELETE = endpoint(contract.push.remove, removePush);
export const { PUT, PATCH } = methodsBesides("GET", "POST", "DELETE");
