import { publicDocument } from "@/lib/http/public-document";
import { agentCard } from "@/lib/metadata/entrance";

export const dynamic = "force-dynamic";

export const GET = publicDocument("well-known.agent-card", agentCard);
