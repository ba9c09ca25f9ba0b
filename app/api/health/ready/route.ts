import { contract } from "@/lib/contract";
import { endpoint } from "@/lib/http/endpoint";
import { methodsBesides } from "@/lib/http/methods";
import { ready } from "@/lib/runtime/health";

export const GET = endpoint(contract.service.ready, ready);
export const { POST, PUT, PATCH, DELETE } = methodsBesides("GET");
