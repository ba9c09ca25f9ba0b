import { receiveFile, serveFile } from "@/lib/http/files";
import { methodsBesides } from "@/lib/http/methods";

export const GET = serveFile;
export const PUT = receiveFile;
export const { POST, PATCH, DELETE } = methodsBesides("GET", "PUT");
