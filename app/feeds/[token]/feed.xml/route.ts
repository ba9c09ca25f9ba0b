import { publicDocument } from "@/lib/http/public-document";
import { privateFeed } from "@/lib/metadata/feeds";

export const GET = publicDocument("feeds.private", ({ ctx, params }) =>
  privateFeed(ctx, String(params.token)),
);
