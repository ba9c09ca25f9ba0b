import { unblockFile } from "@/lib/community";
import { contract } from "@/lib/contract";
import { endpoint } from "@/lib/http/endpoint";
import { methodsBesides } from "@/lib/http/methods";

export const DELETE = endpoint(contract.desk.unblockFile, unblockFile);
export const { GET, POST, PUT, PATCH } = methodsBesides("DELETE");
