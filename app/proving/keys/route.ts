import { methodsBesides } from "@/lib/http/methods";
import { serveKeys } from "@/lib/http/proving-files";

export const GET = serveKeys;
export const { POST, PUT, PATCH, DELETE } = methodsBesides("GET");
