import { blockUser, unblockUser } from "@/lib/community";
import { contract } from "@/lib/contract";
import { endpoint } from "@/lib/http/endpoint";
import { methodsBesides } from "@/lib/http/methods";

export const PUT = endpoint(contract.users.block, blockUser);
export const DELETE = endpoint(contract.users.unblock, unblockUser);
export const { GET, POST, PATCH } = methodsBesides("PUT", "DELETE");
