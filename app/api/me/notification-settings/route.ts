import { getNotificationSettings, setNotificationKinds } from "@/lib/community";
import { contract } from "@/lib/contract";
import { endpoint } from "@/lib/http/endpoint";
import { methodsBesides } from "@/lib/http/methods";

export const GET = endpoint(contract.notifications.settings, getNotificationSettings);
export const PATCH = endpoint(contract.notifications.setKinds, setNotificationKinds);
export const { POST, PUT, DELETE } = methodsBesides("GET", "PATCH");
