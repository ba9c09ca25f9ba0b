import { listMessages, sendMessage } from "@/lib/community";
import { contract } from "@/lib/contract";
import { endpoint } from "@/lib/http/endpoint";
import { methodsBesides } from "@/lib/http/methods";

export const GET = endpoint(contract.chat.list, listMessages);
export const POST = endpoint(contract.chat.send, sendMessage);
export const { PUT, PATCH, DELETE } = methodsBesides("GET", "POST");
