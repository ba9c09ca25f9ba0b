import { contract } from "@/lib/contract";
import { endpoint } from "@/lib/http/endpoint";
import { methodsBesides } from "@/lib/http/methods";
import { health } from "@/lib/runtime/health";

export const GET = endpoint(contract.service.health, health);
export const { POST, PUT, PATCH, DELETE } = methodsBesides("GET");
