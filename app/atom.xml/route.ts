import { publicDocument } from "@/lib/http/public-document";
import { siteFeed } from "@/lib/metadata/feeds";
import { siteWords } from "@/lib/metadata/words";

export const GET = publicDocument("feeds.site", ({ ctx }) => siteFeed(ctx, siteWords, "atom"));
