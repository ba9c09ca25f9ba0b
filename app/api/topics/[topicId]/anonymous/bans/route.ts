import { listBans } from "@/lib/community";
import { contract } from "@/lib/contract";
import { endpoint } from "@/lib/http/endpoint";
import { methodsBesides } from "@/lib/http/methods";

export const GET = endpoint(contract.anonymous.bans, listBans);
export const { POST, PUT, PATCH, DELETE } = methodsBesides("GET");
