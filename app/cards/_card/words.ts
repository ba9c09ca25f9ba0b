import { createHash } from "node:crypto";
import { gateSentence, sealKind } from "@/components/proof/gate-words";
import type { Post, Topic } from "@/lib/contract";
import { shorten } from "@/lib/html";
import { words } from "@/lib/i18n/english";
import type { CardWords } from "./draw";

/** A longer title would be too small to read in a chat. */
const MAX_TITLE = 160;
/** Part of every card's address. Change it with the look of cards, so that no one keeps an old picture. */
const EDITION = "2";

const { t } = words;
const brand = t("common.name");

/** The card of the site, which also replaces cards that a guest may not see. */
export const siteCard: CardWords = {
  above: "",
  title: t("common.tagline"),
  gate: "",
  seal: "person",
  brand,
};

/** Returns the words on the card of an open topic: its gate, with a seal where members prove something. */
export function topicCard(topic: Topic): CardWords {
  const isGated = topic.proofType !== "none";
  return {
    above: topic.category?.name ?? "",
    title: shorten(topic.title, MAX_TITLE),
    gate: isGated ? gateSentence(words, topic) : "",
    seal: isGated ? sealKind(topic.proofType) : null,
    brand,
  };
}

type PostOfCard = Pick<Post, "title" | "anonymous" | "authorDomains">;

/** Returns the words on the card of an open post: that one of a crowd wrote it, or the author's seal, if they show one there, or else the topic's gate. */
export function postCard(post: PostOfCard, topic: Topic): CardWords {
  const [domain] = post.authorDomains ?? [];
  return {
    ...topicCard(topic),
    above: shorten(topic.title, MAX_TITLE),
    title: shorten(post.title, MAX_TITLE),
    ...(post.anonymous && {
      gate: t("anonymous.letter.card", { n: post.anonymous.crowd }),
      seal: topic.proofType === "none" ? "person" : sealKind(topic.proofType),
    }),
    ...(domain && { gate: t("seal.writtenBy", { domain }), seal: "domain" }),
  };
}

/** Returns a hash of what a card shows. It is part of the card's address, so that services load a changed card anew. */
export function cardVersion(words: CardWords): string {
  const { above, title, gate, seal, brand } = words;
  const shown = JSON.stringify([EDITION, above, title, gate, seal, brand]);
  return createHash("sha256").update(shown).digest("base64url").slice(0, 16);
}

/** Paths of cards, with their version. */
export const siteCardPath = (): string => `/cards/site?v=${cardVersion(siteCard)}`;

export const topicCardPath = (topic: Topic): string =>
  `/cards/topics/${topic.id}?v=${cardVersion(topicCard(topic))}`;

export const postCardPath = (post: PostOfCard & Pick<Post, "id">, topic: Topic): string =>
  `/cards/posts/${post.id}?v=${cardVersion(postCard(post, topic))}`;
