import { deleteApp } from "@/lib/community";
import { contract } from "@/lib/contract";
import { endpoint } from "@/lib/http/endpoint";
import { methodsBesides } from "@/lib/http/methods";

export const DELETE = endpoint(contract.apps.delete, deleteApp);
export const { GET, POST, PUT, PATCH } = methodsBesides("DELETE");
