import { createUpload, deleteUploads } from "@/lib/community";
import { contract } from "@/lib/contract";
import { endpoint } from "@/lib/http/endpoint";
import { methodsBesides } from "@/lib/http/methods";

export const POST = endpoint(contract.uploads.create, createUpload);
export const DELETE = endpoint(contract.uploads.delete, deleteUploads);
export const { GET, PUT, PATCH } = methodsBesides("POST", "DELETE");
