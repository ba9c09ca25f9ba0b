import { listReactions, toggleReaction } from "@/lib/community";
import { contract } from "@/lib/contract";
import { endpoint } from "@/lib/http/endpoint";
import { methodsBesides } from "@/lib/http/methods";

export const GET = endpoint(contract.posts.reactions, listReactions);
export const POST = endpoint(contract.posts.react, toggleReaction);
export const { PUT, PATCH, DELETE } = methodsBesides("GET", "POST");
