import Link from "next/link";
import { useWords } from "#words";
import { SealMark } from "@/components/proof/seal-mark";
import { Panel } from "@/components/shell/panel";
import { TopicShortList } from "@/components/topic/topic-row";
import { ButtonLink } from "@/components/ui/button";
import { getWords } from "@/lib/i18n/server";
import { railTopics, topics } from "../_data/reads";

const SHOWN = 5;

/** What this is, and the way in: for guests. */
export function WelcomeCard() {
  const { t } = useWords();
  return (
    <section className="grid gap-3 rounded-sheet border bg-sheet p-5">
      <SealMark kind="domain" size="md" />
      <h2 className="font-serif text-xl font-semibold">{t("feed.welcomeTitle")}</h2>
      <p className="text-soft">{t("feed.welcome")}</p>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <ButtonLink href="/sign-in" prefetch={false} tone="primary">
          {t("signIn.title")}
        </ButtonLink>
        <Link href="/how-it-works" prefetch={false} className="link tap inline-flex items-center">
          {t("footer.howItWorks")}
        </Link>
      </div>
    </section>
  );
}

/** The most active topics of all. */
export async function ActiveTopics() {
  const { t } = await getWords();
  const active = await topics({ view: "all", sort: "active", limit: SHOWN });
  if (!active.ok || active.value.topics.length === 0) return null;
  return (
    <Panel title={t("feed.asideTitle")}>
      <TopicShortList topics={active.value.topics} />
    </Panel>
  );
}

/** The member's most active topics, or active topics of others while they have none. */
export async function MyTopics() {
  const { t } = await getWords();
  const mine = (await railTopics()).slice(0, SHOWN);
  if (mine.length === 0) return <ActiveTopics />;
  return (
    <Panel title={t("me.asideMine")}>
      <TopicShortList topics={mine} />
    </Panel>
  );
}
