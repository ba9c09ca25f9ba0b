import { contract } from "@/lib/contract";
import { endpoint } from "@/lib/http/endpoint";
import { methodsBesides } from "@/lib/http/methods";
import { createProofRequest } from "@/lib/session/relay/requests";

export const POST = endpoint(contract.auth.createProofRequest, createProofRequest);
export const { GET, PUT, PATCH, DELETE } = methodsBesides("POST");
