import { serveFile, takeFile } from "@/lib/http/files";
import { methodsBesides } from "@/lib/http/methods";

export const GET = serveFile;
export const PUT = takeFile;
export const { POST, PATCH, DELETE } = methodsBesides("GET", "PUT");
