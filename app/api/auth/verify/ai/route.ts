import { contract } from "@/lib/contract";
import { endpoint } from "@/lib/http/endpoint";
import { methodsBesides } from "@/lib/http/methods";
import { signInWithProof } from "@/lib/session/sign-in";

export const POST = endpoint(contract.auth.verify, signInWithProof);
export const { GET, PUT, PATCH, DELETE } = methodsBesides("POST");
