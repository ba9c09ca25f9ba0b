import { publicDocument } from "@/lib/http/public-document";
import { openPost, openTopic } from "@/lib/metadata/open";
import { cardDocument } from "../../_card/cards";
import { postCard } from "../../_card/words";

export const GET = publicDocument("cards.post", async ({ ctx, params }) => {
  const post = await openPost(ctx, String(params.id));
  const topic = post && (await openTopic(ctx, post.topicId));
  return cardDocument(topic && postCard(post, topic));
});
