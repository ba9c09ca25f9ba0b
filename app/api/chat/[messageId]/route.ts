import { deleteMessage, updateMessage } from "@/lib/community";
import { contract } from "@/lib/contract";
import { endpoint } from "@/lib/http/endpoint";
import { methodsBesides } from "@/lib/http/methods";

export const PATCH = endpoint(contract.chat.update, updateMessage);
export const DELETE = endpoint(contract.chat.delete, deleteMessage);
export const { GET, POST, PUT } = methodsBesides("PATCH", "DELETE");
