import { listHolds, placeHold } from "@/lib/community";
import { contract } from "@/lib/contract";
import { endpoint } from "@/lib/http/endpoint";
import { methodsBesides } from "@/lib/http/methods";

export const GET = endpoint(contract.desk.holds, listHolds);
export const POST = endpoint(contract.desk.placeHold, placeHold);
export const { PUT, PATCH, DELETE } = methodsBesides("GET", "POST");
