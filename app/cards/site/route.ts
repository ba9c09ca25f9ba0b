import { publicDocument } from "@/lib/http/public-document";
import { cardDocument } from "../_card/document";

/** Made for each request: while the app is built there is no database to read. */
export const dynamic = "force-dynamic";

export const GET = publicDocument("cards.site", async ({ query }) => cardDocument(null, query.get("v")));
