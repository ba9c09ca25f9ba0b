import { setThreadNotifications } from "@/lib/community";
import { contract } from "@/lib/contract";
import { endpoint } from "@/lib/http/endpoint";
import { methodsBesides } from "@/lib/http/methods";

export const PUT = endpoint(contract.posts.setNotifications, setThreadNotifications);
export const { GET, POST, PATCH, DELETE } = methodsBesides("PUT");
