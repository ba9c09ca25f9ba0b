import { methodsBesides } from "@/lib/http/methods";
import { serveCircuit } from "@/lib/http/proving-files";

export const GET = serveCircuit;
export const { POST, PUT, PATCH, DELETE } = methodsBesides("GET");
