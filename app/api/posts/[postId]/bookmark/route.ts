import { getBookmark, toggleBookmark } from "@/lib/community";
import { contract } from "@/lib/contract";
import { endpoint } from "@/lib/http/endpoint";
import { methodsBesides } from "@/lib/http/methods";

export const GET = endpoint(contract.posts.getBookmark, getBookmark);
export const POST = endpoint(contract.posts.bookmark, toggleBookmark);
export const { PUT, PATCH, DELETE } = methodsBesides("GET", "POST");
