import { contract } from "@/lib/contract";
import { endpoint } from "@/lib/http/endpoint";
import { methodsBesides } from "@/lib/http/methods";
import { createChallenge } from "@/lib/session/challenges";

export const POST = endpoint(contract.auth.challenge, createChallenge);
export const { GET, PUT, PATCH, DELETE } = methodsBesides("POST");
