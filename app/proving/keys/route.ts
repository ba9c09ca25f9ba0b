import { serveKeys } from "@/lib/http/browser-proving";
import { methodsBesides } from "@/lib/http/methods";

export const GET = serveKeys;
export const { POST, PUT, PATCH, DELETE } = methodsBesides("GET");
