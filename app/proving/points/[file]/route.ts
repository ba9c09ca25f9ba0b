import { methodsBesides } from "@/lib/http/methods";
import { servePoints } from "@/lib/http/proving-files";

export const GET = servePoints;
export const { POST, PUT, PATCH, DELETE } = methodsBesides("GET");
