import { imposeSanction, liftSanction, listSanctions } from "@/lib/community";
import { contract } from "@/lib/contract";
import { endpoint } from "@/lib/http/endpoint";
import { methodsBesides } from "@/lib/http/methods";

export const GET = endpoint(contract.moderation.sanctions, listSanctions);
export const POST = endpoint(contract.moderation.sanction, imposeSanction);
export const DELETE = endpoint(contract.moderation.lift, liftSanction);
export const { PUT, PATCH } = methodsBesides("GET", "POST", "DELETE");
