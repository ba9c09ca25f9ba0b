import { publicDocument } from "@/lib/http/public-document";
import { cardDocument } from "../_card/document";

export const GET = publicDocument("cards.site", async ({ query }) => cardDocument(null, query.get("v")));
