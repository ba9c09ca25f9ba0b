import { createPost, listPosts } from "@/lib/community";
import { contract } from "@/lib/contract";
import { endpoint } from "@/lib/http/endpoint";
import { methodsBesides } from "@/lib/http/methods";

export const GET = endpoint(contract.posts.list, listPosts);
export const POST = endpoint(contract.posts.create, createPost);
export const { PUT, PATCH, DELETE } = methodsBesides("GET", "POST");
