import { contract } from "@/lib/contract";
import { endpoint } from "@/lib/http/endpoint";
import { methodsBesides } from "@/lib/http/methods";
import { createToken, listTokens } from "@/lib/session/automation";

export const GET = endpoint(contract.auth.tokens, listTokens);
export const POST = endpoint(contract.auth.createToken, createToken);
export const { PUT, PATCH, DELETE } = methodsBesides("GET", "POST");
