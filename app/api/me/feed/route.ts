import { endPrivateFeed, getPrivateFeed, makePrivateFeed } from "@/lib/community";
import { contract } from "@/lib/contract";
import { endpoint } from "@/lib/http/endpoint";
import { methodsBesides } from "@/lib/http/methods";

export const GET = endpoint(contract.my.feed, getPrivateFeed);
export const POST = endpoint(contract.my.makeFeed, makePrivateFeed);
export const DELETE = endpoint(contract.my.endFeed, endPrivateFeed);
export const { PUT, PATCH } = methodsBesides("GET", "POST", "DELETE");
