import { serveCircuit } from "@/lib/http/browser-proving";
import { methodsBesides } from "@/lib/http/methods";

export const GET = serveCircuit;
export const { POST, PUT, PATCH, DELETE } = methodsBesides("GET");
