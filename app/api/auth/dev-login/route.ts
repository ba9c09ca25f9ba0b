import { contract } from "@/lib/contract";
import { endpoint } from "@/lib/http/endpoint";
import { methodsBesides } from "@/lib/http/methods";
import { developmentSignIn } from "@/lib/session/sign-in";

export const POST = endpoint(contract.auth.devLogin, developmentSignIn, {
  exists: ({ config }) => config.devLogin,
});
export const { GET, PUT, PATCH, DELETE } = methodsBesides("POST");
