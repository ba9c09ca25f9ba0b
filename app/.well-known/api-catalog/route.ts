import { publicDocument } from "@/lib/http/public-document";
import { apiCatalog } from "@/lib/metadata/entrance";

export const dynamic = "force-dynamic";

export const GET = publicDocument("well-known.api-catalog", apiCatalog);
