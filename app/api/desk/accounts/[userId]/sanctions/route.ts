import { liftAccountSanction, sanctionAccount } from "@/lib/community";
import { contract } from "@/lib/contract";
import { endpoint } from "@/lib/http/endpoint";
import { methodsBesides } from "@/lib/http/methods";

export const POST = endpoint(contract.desk.sanction, sanctionAccount);
export const DELETE = endpoint(contract.desk.lift, liftAccountSanction);
export const { GET, PUT, PATCH } = methodsBesides("POST", "DELETE");
