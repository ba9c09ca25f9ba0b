import { claimReport, releaseReport } from "@/lib/community";
import { contract } from "@/lib/contract";
import { endpoint } from "@/lib/http/endpoint";
import { methodsBesides } from "@/lib/http/methods";

export const POST = endpoint(contract.desk.claim, claimReport);
export const DELETE = endpoint(contract.desk.release, releaseReport);
export const { GET, PUT, PATCH } = methodsBesides("POST", "DELETE");
