import { contract } from "@/lib/contract";
import { endpoint } from "@/lib/http/endpoint";
import { methodsBesides } from "@/lib/http/methods";
import { answerProofRequest } from "@/lib/session/relay/answer";
import { describeProofRequest } from "@/lib/session/relay/requests";

export const GET = endpoint(contract.auth.getProofRequest, describeProofRequest);
export const POST = endpoint(contract.auth.answerProofRequest, answerProofRequest);
export const { PUT, PATCH, DELETE } = methodsBesides("GET", "POST");
