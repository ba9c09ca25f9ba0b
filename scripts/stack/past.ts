import { openDatabase } from "@/db/client";
import { contract } from "@/lib/contract";
import { createHarness } from "@/lib/testing/harness";
import { PAST } from "./past-content";
import { homePaths } from "./settings";

const TWO_DAYS_MS = 2 * 86_400_000;

/**
 * Gives an installation that has not started yet a past: a public topic with a post two days old. On-chain records want
 * posts of more than an hour, and the embedded database opens once only. Written by the API itself, with a clock that
 * is late; everything else of the installation is as new.
 */
export async function writePast(home: string): Promise<void> {
  const moment = new Date(Date.now() - TWO_DAYS_MS);
  const database = await openDatabase({ url: `pglite:${homePaths(home).appDatabase}` });
  const past = await createHarness({ database, now: () => moment });
  try {
    const { api } = await past.login(PAST.nickname);
    const { categories } = await api.call(contract.categories.list, {});
    const { topic } = await api.call(contract.topics.create, {
      title: PAST.topic,
      categoryId: categories[0]?.id ?? "",
    });
    await api.call(contract.posts.create, {
      topicId: topic.id,
      title: PAST.post,
      content: `<p>That the small ${PAST.word} stays. Somebody promised it the day before yesterday.</p>`,
    });
    await past.idle();
  } finally {
    await past.close();
  }
}
