import { publicDocument } from "@/lib/http/public-document";
import { cardDocument } from "../_card/cards";

// There is no database to read while the app is built.
export const dynamic = "force-dynamic";

export const GET = publicDocument("cards.site", async () => cardDocument(null));
