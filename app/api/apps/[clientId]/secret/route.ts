import { renewAppSecret } from "@/lib/community";
import { contract } from "@/lib/contract";
import { endpoint } from "@/lib/http/endpoint";
import { methodsBesides } from "@/lib/http/methods";

export const POST = endpoint(contract.apps.renewSecret, renewAppSecret);
export const { GET, PUT, PATCH, DELETE } = methodsBesides("POST");
