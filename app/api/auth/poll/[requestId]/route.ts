import { contract } from "@/lib/contract";
import { endpoint } from "@/lib/http/endpoint";
import { methodsBesides } from "@/lib/http/methods";
import { pollProofRequest } from "@/lib/session/relay/answer";

export const GET = endpoint(contract.auth.pollProofRequest, pollProofRequest);
export const { POST, PUT, PATCH, DELETE } = methodsBesides("GET");
