import { publicDocument } from "@/lib/http/public-document";
import { openTopic } from "@/lib/metadata/open";
import { cardDocument } from "../../_card/cards";
import { topicCard } from "../../_card/words";

export const GET = publicDocument("cards.topic", async ({ ctx, params }) => {
  const topic = await openTopic(ctx, String(params.id));
  return cardDocument(topic && topicCard(topic));
});
