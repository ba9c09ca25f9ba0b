import { contract } from "@/lib/contract";
import { endpoint } from "@/lib/http/endpoint";
import { methodsBesides } from "@/lib/http/methods";
import { getPreview } from "@/lib/preview/page";

export const GET = endpoint(contract.previews.get, getPreview);
export const { POST, PUT, PATCH, DELETE } = methodsBesides("GET");
