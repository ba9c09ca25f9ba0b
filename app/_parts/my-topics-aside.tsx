import { Panel } from "@/components/shell/panel";
import { TopicShortList } from "@/components/topic/topic-row";
import { getWords } from "@/lib/i18n/server";
import { myTopics, topics } from "../_data/reads";

const SHOWN = 5;

/** Right column of a member's own pages: their topics, the latest active first; before they have any, those that are busy. */
export async function MyTopicsAside() {
  const { t } = await getWords();
  const mine = (await myTopics()).slice(0, SHOWN);
  const busy = mine.length > 0 ? null : await topics({ view: "all", sort: "active", limit: SHOWN });
  const shown = busy?.ok ? busy.value.topics : mine;
  if (shown.length === 0) return null;
  return (
    <Panel title={mine.length > 0 ? t("me.asideMine") : t("me.asideActive")}>
      <TopicShortList topics={shown} />
    </Panel>
  );
}
