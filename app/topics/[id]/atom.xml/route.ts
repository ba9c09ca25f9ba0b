import { publicDocument } from "@/lib/http/public-document";
import { topicFeed } from "@/lib/metadata/feeds";

export const GET = publicDocument("feeds.topic", ({ ctx, params }) =>
  topicFeed(ctx, String(params.id), "atom"),
);
