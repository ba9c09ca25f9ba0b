import type { Post, Topic } from "@/lib/contract";
import { cardVersion } from "./version";
import { postCard, siteCard, topicCard } from "./words";

/** Addresses of cards, relative to this site. They name what is shown, so that nobody keeps an old picture. */
export const siteCardPath = (): string => `/cards/site?v=${cardVersion(siteCard)}`;

export const topicCardPath = (topic: Topic): string =>
  `/cards/topics/${topic.id}?v=${cardVersion(topicCard(topic))}`;

export const postCardPath = (post: Pick<Post, "id" | "title">, topic: Topic): string =>
  `/cards/posts/${post.id}?v=${cardVersion(postCard(post, topic))}`;
