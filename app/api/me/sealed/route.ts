import { leaveSealed, takeSealed } from "@/lib/community";
import { contract } from "@/lib/contract";
import { endpoint } from "@/lib/http/endpoint";
import { methodsBesides } from "@/lib/http/methods";

export const GET = endpoint(contract.sealed.take, takeSealed);
export const PUT = endpoint(contract.sealed.leave, leaveSealed);
export const { POST, PATCH, DELETE } = methodsBesides("GET", "PUT");
