import { publicDocument } from "@/lib/http/public-document";
import { siteFeed } from "@/lib/metadata/feeds";

// There is no database to read while the app is built.
export const dynamic = "force-dynamic";

export const GET = publicDocument("feeds.site", ({ ctx }) => siteFeed(ctx, "rss"));
