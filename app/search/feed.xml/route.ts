import { publicDocument } from "@/lib/http/public-document";
import { searchFeed } from "@/lib/metadata/feeds";

export const GET = publicDocument("feeds.search", ({ ctx, query }) => searchFeed(ctx, query));
