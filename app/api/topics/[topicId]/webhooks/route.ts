import { createWebhook, listWebhooks } from "@/lib/community";
import { contract } from "@/lib/contract";
import { endpoint } from "@/lib/http/endpoint";
import { methodsBesides } from "@/lib/http/methods";

export const GET = endpoint(contract.webhooks.list, listWebhooks);
export const POST = endpoint(contract.webhooks.create, createWebhook);
export const { PUT, PATCH, DELETE } = methodsBesides("GET", "POST");
