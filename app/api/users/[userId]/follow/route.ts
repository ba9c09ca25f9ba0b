import { followUser, unfollowUser } from "@/lib/community";
import { contract } from "@/lib/contract";
import { endpoint } from "@/lib/http/endpoint";
import { methodsBesides } from "@/lib/http/methods";

export const PUT = endpoint(contract.users.follow, followUser);
export const DELETE = endpoint(contract.users.unfollow, unfollowUser);
export const { GET, POST, PATCH } = methodsBesides("PUT", "DELETE");
