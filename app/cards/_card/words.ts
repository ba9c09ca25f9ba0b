import { gateSentence, sealKind } from "@/components/proof/gate-words";
import type { Post, Topic } from "@/lib/contract";
import { shorten } from "@/lib/html";
import { words } from "@/lib/i18n/english";
import type { CardWords } from "./draw";

/** A longer title would be set too small to read in a chat. */
const longest = 160;

const { t } = words;
const brand = t("common.name");

/** What the card of the site says, which stands in for every card that there is not. */
export const siteCard: CardWords = {
  above: "",
  title: t("common.tagline"),
  gate: "",
  seal: "person",
  brand,
};

/** What the card of an open topic says. */
export function topicCard(topic: Topic): CardWords {
  return {
    above: topic.category?.name ?? "",
    title: shorten(topic.title, longest),
    gate: gateSentence(words, topic),
    seal: sealKind(topic.proofType),
    brand,
  };
}

/** What the card of an open post says; with the gate of its topic, which decides who may answer. */
export function postCard(post: Pick<Post, "title">, topic: Topic): CardWords {
  return { ...topicCard(topic), above: shorten(topic.title, longest), title: shorten(post.title, longest) };
}
