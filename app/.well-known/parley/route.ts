import { publicDocument } from "@/lib/http/public-document";
import { installation } from "@/lib/metadata/entrance";

export const dynamic = "force-dynamic";

export const GET = publicDocument("well-known.parley", installation);
