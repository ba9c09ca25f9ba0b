import { deleteComment, updateComment } from "@/lib/community";
import { contract } from "@/lib/contract";
import { endpoint } from "@/lib/http/endpoint";
import { methodsBesides } from "@/lib/http/methods";

export const PATCH = endpoint(contract.comments.update, updateComment);
export const DELETE = endpoint(contract.comments.delete, deleteComment);
export const { GET, POST, PUT } = methodsBesides("PATCH", "DELETE");
