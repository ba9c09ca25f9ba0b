import { contract } from "@/lib/contract";
import { endpoint } from "@/lib/http/endpoint";
import { methodsBesides } from "@/lib/http/methods";
import { endOtherSessions, listSessions } from "@/lib/session/sessions";

export const GET = endpoint(contract.auth.sessions, listSessions);
export const DELETE = endpoint(contract.auth.endOtherSessions, endOtherSessions);
export const { POST, PUT, PATCH } = methodsBesides("GET", "DELETE");
