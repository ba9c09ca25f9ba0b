import { deletePost, getPost, updatePost } from "@/lib/community";
import { contract } from "@/lib/contract";
import { endpoint } from "@/lib/http/endpoint";
import { methodsBesides } from "@/lib/http/methods";

export const GET = endpoint(contract.posts.get, getPost);
export const PATCH = endpoint(contract.posts.update, updatePost);
export const DELETE = endpoint(contract.posts.delete, deletePost);
export const { POST, PUT } = methodsBesides("GET", "PATCH", "DELETE");
