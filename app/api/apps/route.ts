import { createApp, listApps } from "@/lib/community";
import { contract } from "@/lib/contract";
import { endpoint } from "@/lib/http/endpoint";
import { methodsBesides } from "@/lib/http/methods";

export const GET = endpoint(contract.apps.list, listApps);
export const POST = endpoint(contract.apps.create, createApp);
export const { PUT, PATCH, DELETE } = methodsBesides("GET", "POST");
