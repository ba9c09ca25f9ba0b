import { mcpEndpoint } from "@/lib/http/mcp";
import { methodsBesides } from "@/lib/http/methods";
import { apiRoutes } from "../routes";

export const dynamic = "force-dynamic";

export const POST = mcpEndpoint(apiRoutes);
export const { GET, PUT, PATCH, DELETE } = methodsBesides("POST");
