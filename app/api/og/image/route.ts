import { contract } from "@/lib/contract";
import { endpoint } from "@/lib/http/endpoint";
import { methodsBesides } from "@/lib/http/methods";
import { getPreviewImage } from "@/lib/preview/image";

export const GET = endpoint(contract.previews.image, getPreviewImage);
export const { POST, PUT, PATCH, DELETE } = methodsBesides("GET");
