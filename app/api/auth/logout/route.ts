import { contract } from "@/lib/contract";
import { endpoint } from "@/lib/http/endpoint";
import { methodsBesides } from "@/lib/http/methods";
import { signOut } from "@/lib/session/sessions";

export const POST = endpoint(contract.auth.logout, signOut);
export const { GET, PUT, PATCH, DELETE } = methodsBesides("POST");
