import Link from "next/link";
import { redirect } from "next/navigation";
import { useWords } from "#words";
import { SealCards, Seen } from "@/components/me/identity";
import { InstallPart } from "@/components/offline/install-part";
import type { SealFacts } from "@/components/proof/seal";
import { SealMark } from "@/components/proof/seal-mark";
import { PushPart } from "@/components/push/push-part";
import { Page } from "@/components/shell/page";
import { Section } from "@/components/shell/panel";
import { TopicRow } from "@/components/topic/topic-row";
import { ButtonLink } from "@/components/ui/button";
import { pathHere } from "@/lib/client/places";
import type { TopicListItem } from "@/lib/contract";
import { getWords } from "@/lib/i18n/server";
import { pageHead } from "../_data/head";
import { domainBadges, myPicture } from "../_data/me";
import { topics, viewer } from "../_data/reads";
import { looksPassed, mySeals } from "../_data/seals";
import { type SearchParams, single } from "../_data/search-params";
import { withWords } from "../_parts/words";

export const generateMetadata = pageHead((t) => t("welcome.title"));

/** After the first sign-in: the seal, topics to join, notifications. Every step can be skipped. */
async function Welcome({ searchParams }: { readonly searchParams: SearchParams }) {
  const words = await getWords();
  const { t } = words;
  const [who, query] = await Promise.all([viewer(), searchParams]);
  if (!who) redirect("/sign-in?next=/welcome");
  const next = pathHere(single(query.next)) ?? "/";
  if (!who.nicknameSet) redirect("/profile?next=/");
  const [seals, places, picture, badges] = await Promise.all([
    mySeals(words),
    placesToGo(),
    myPicture(),
    domainBadges(),
  ]);
  return (
    <Page
      title={t("welcome.greeting", { name: who.nickname })}
      aside={
        <Seen userId={who.userId} nickname={who.nickname} picture={picture} domains={badges?.domains ?? []} />
      }
      action={
        <ButtonLink href={next} tone="quiet">
          {t("welcome.skip")}
        </ButtonLink>
      }
    >
      <p className="max-w-[60ch] text-lg text-soft">{t("welcome.lead")}</p>
      <Section id="seal" title={t("welcome.sealTitle")} first>
        <YourSeal seals={seals} />
      </Section>
      <Section id="topics" title={t("welcome.topicsTitle")}>
        <Places title={t("welcome.opened")} topics={places.opened} />
        <Places title={t("welcome.open")} topics={places.open} />
        <p>
          {places.opened.length + places.open.length > 0 ? (
            <Link href="/topics" className="link reach">
              {t("welcome.allTopics")}
            </Link>
          ) : (
            <>
              {t("welcome.noTopics")}{" "}
              <Link href="/topics/new" className="link">
                {t("topics.startTopic")}
              </Link>
            </>
          )}
        </p>
      </Section>
      <PushPart />
      <InstallPart />
      <div className="border-t pt-5">
        <ButtonLink href={next} tone="primary">
          {t("common.goHome")}
        </ButtonLink>
      </div>
    </Page>
  );
}

export default withWords(["push", "seal"], Welcome);

/** Active topics to choose from. */
const CANDIDATES = 50;
const SHOWN = 4;

/** The most active topics the member has not joined: those whose gate their seals pass, and those without a gate. */
async function placesToGo() {
  const found = await topics({ view: "all", sort: "active", limit: CANDIDATES });
  const others = found.ok ? found.value.topics.filter(({ isMember }) => !isMember) : [];
  const gated = others.filter(({ proofType }) => proofType !== "none");
  const passed = await Promise.all(gated.map(looksPassed));
  return {
    opened: gated.filter((_, at) => passed[at]).slice(0, SHOWN),
    open: others.filter(({ proofType }) => proofType === "none").slice(0, SHOWN),
  };
}

function YourSeal({ seals }: { readonly seals: readonly SealFacts[] }) {
  const { t } = useWords();
  if (seals.length === 0) {
    return (
      <div className="flex items-center gap-4">
        <SealMark kind="domain" size="md" empty />
        <p className="max-w-[60ch] text-soft">{t("welcome.noSeal")}</p>
      </div>
    );
  }
  return (
    <>
      <p className="max-w-[60ch] text-soft">
        {t("welcome.seal")} {t("welcome.sealKept")}
      </p>
      <SealCards seals={seals} />
    </>
  );
}

function Places({
  title,
  topics: list,
}: {
  readonly title: string;
  readonly topics: readonly TopicListItem[];
}) {
  if (list.length === 0) return null;
  return (
    <div>
      <p className="text-sm font-semibold">{title}</p>
      <div className="divide-y">
        {list.map((topic) => (
          <TopicRow key={topic.id} topic={topic} />
        ))}
      </div>
    </div>
  );
}
