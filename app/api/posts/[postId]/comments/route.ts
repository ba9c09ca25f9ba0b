import { createComment, listCommentsUnder } from "@/lib/community";
import { contract } from "@/lib/contract";
import { endpoint } from "@/lib/http/endpoint";
import { methodsBesides } from "@/lib/http/methods";

export const GET = endpoint(contract.comments.list, listCommentsUnder);
export const POST = endpoint(contract.comments.create, createComment);
export const { PUT, PATCH, DELETE } = methodsBesides("GET", "POST");
