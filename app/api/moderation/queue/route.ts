import { decideCases, listCases } from "@/lib/community";
import { contract } from "@/lib/contract";
import { endpoint } from "@/lib/http/endpoint";
import { methodsBesides } from "@/lib/http/methods";

export const GET = endpoint(contract.moderation.queue, listCases);
export const POST = endpoint(contract.moderation.decideCases, decideCases);
export const { PUT, PATCH, DELETE } = methodsBesides("GET", "POST");
