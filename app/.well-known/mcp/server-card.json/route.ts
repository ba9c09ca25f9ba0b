import { publicDocument } from "@/lib/http/public-document";
import { mcpServerCard } from "@/lib/metadata/entrance";

export const dynamic = "force-dynamic";

export const GET = publicDocument("well-known.mcp-server-card", mcpServerCard);
