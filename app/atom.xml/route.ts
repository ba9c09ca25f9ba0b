import { publicDocument } from "@/lib/http/public-document";
import { siteFeed } from "@/lib/metadata/feeds";
import { siteWords } from "@/lib/metadata/words";

/** Made for each request: while the app is built there is no database to read. */
export const dynamic = "force-dynamic";

export const GET = publicDocument("feeds.site", ({ ctx }) => siteFeed(ctx, siteWords, "atom"));
