import { publicDocument } from "@/lib/http/public-document";
import { llmsText } from "@/lib/metadata/entrance";

export const dynamic = "force-dynamic";

export const GET = publicDocument("llms", llmsText);
