import type { Metadata } from "next";
import { notFound } from "next/navigation";
import type { TopicView } from "@/components/topic/header";
import { getWords } from "@/lib/i18n/server";
import type { Words } from "@/lib/i18n/words";
import { topic as readTopic } from "../../../_data/reads";
import { isId } from "../../../_data/search-params";

/** A topic as a page begins with it; null where it is secret and the visitor outside. */
export async function openTopic(params: Promise<{ readonly id: string }>): Promise<TopicView | null> {
  const { id } = await params;
  if (!isId(id)) notFound();
  const found = await readTopic(id);
  if (found.ok) return found.value;
  if (found.code === "topic_secret") return null;
  notFound();
}

/** Title of a part of a topic. Machines do not keep it: the topic's own page is the one they find. */
export async function partHead(
  params: Promise<{ readonly id: string }>,
  name: (t: Words["t"]) => string,
): Promise<Metadata> {
  const { t } = await getWords();
  const { id } = await params;
  const found = isId(id) ? await readTopic(id) : null;
  if (!found?.ok) return { title: t("problems.notFoundTitle") };
  return { title: `${name(t)} · ${found.value.topic.title}` };
}
