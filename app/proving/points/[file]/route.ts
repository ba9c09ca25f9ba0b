import { servePoints } from "@/lib/http/browser-proving";
import { methodsBesides } from "@/lib/http/methods";

export const GET = servePoints;
export const { POST, PUT, PATCH, DELETE } = methodsBesides("GET");
