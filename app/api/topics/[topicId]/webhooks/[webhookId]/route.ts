import { deleteWebhook } from "@/lib/community";
import { contract } from "@/lib/contract";
import { endpoint } from "@/lib/http/endpoint";
import { methodsBesides } from "@/lib/http/methods";

export const DELETE = endpoint(contract.webhooks.delete, deleteWebhook);
export const { GET, POST, PUT, PATCH } = methodsBesides("DELETE");
