import { contract } from "@/lib/contract";
import { endpoint } from "@/lib/http/endpoint";
import { methodsBesides } from "@/lib/http/methods";
import { revokeToken } from "@/lib/session/automation";

export const DELETE = endpoint(contract.auth.revokeToken, revokeToken);
export const { GET, POST, PUT, PATCH } = methodsBesides("DELETE");
