import { answerAppRequest } from "@/lib/community";
import { contract } from "@/lib/contract";
import { endpoint } from "@/lib/http/endpoint";
import { methodsBesides } from "@/lib/http/methods";

export const POST = endpoint(contract.apps.answer, answerAppRequest);
export const { GET, PUT, PATCH, DELETE } = methodsBesides("POST");
