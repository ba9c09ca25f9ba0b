import { contract } from "@/lib/contract";
import { describeApi } from "@/lib/http/documents";
import { endpoint } from "@/lib/http/endpoint";
import { methodsBesides } from "@/lib/http/methods";

export const GET = endpoint(contract.service.openapi, describeApi, { publicSeconds: 300 });
export const { POST, PUT, PATCH, DELETE } = methodsBesides("GET");
