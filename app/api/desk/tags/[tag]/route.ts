import { removeTag, renameTag } from "@/lib/community";
import { contract } from "@/lib/contract";
import { endpoint } from "@/lib/http/endpoint";
import { methodsBesides } from "@/lib/http/methods";

export const PATCH = endpoint(contract.desk.renameTag, renameTag);
export const DELETE = endpoint(contract.desk.removeTag, removeTag);
export const { GET, POST, PUT } = methodsBesides("PATCH", "DELETE");
