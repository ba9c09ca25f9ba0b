import { contract } from "@/lib/contract";
import { endpoint } from "@/lib/http/endpoint";
import { methodsBesides } from "@/lib/http/methods";
import { describeApi } from "@/lib/http/openapi";

export const GET = endpoint(contract.service.openapi, describeApi, { publicSeconds: 300 });
export const { POST, PUT, PATCH, DELETE } = methodsBesides("GET");
