import { contract } from "@/lib/contract";
import { endpoint } from "@/lib/http/endpoint";
import { methodsBesides } from "@/lib/http/methods";
import { endSession } from "@/lib/session/sessions";

export const DELETE = endpoint(contract.auth.endSession, endSession);
export const { GET, POST, PUT, PATCH } = methodsBesides("DELETE");
