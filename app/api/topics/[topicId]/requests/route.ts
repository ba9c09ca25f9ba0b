import { decideRequest, listRequests } from "@/lib/community";
import { contract } from "@/lib/contract";
import { endpoint } from "@/lib/http/endpoint";
import { methodsBesides } from "@/lib/http/methods";

export const GET = endpoint(contract.requests.list, listRequests);
export const PATCH = endpoint(contract.requests.decide, decideRequest);
export const { POST, PUT, DELETE } = methodsBesides("GET", "PATCH");
