import { contract } from "@/lib/contract";
import { endpoint } from "@/lib/http/endpoint";
import { methodsBesides } from "@/lib/http/methods";
import { describeSession } from "@/lib/session/sessions";

export const GET = endpoint(contract.auth.session, describeSession);
export const { POST, PUT, PATCH, DELETE } = methodsBesides("GET");
