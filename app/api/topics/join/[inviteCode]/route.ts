import { getInvite, joinByInvite } from "@/lib/community";
import { contract } from "@/lib/contract";
import { endpoint } from "@/lib/http/endpoint";
import { methodsBesides } from "@/lib/http/methods";

export const GET = endpoint(contract.topics.getInvite, getInvite);
export const POST = endpoint(contract.topics.joinByInvite, joinByInvite);
export const { PUT, PATCH, DELETE } = methodsBesides("GET", "POST");
