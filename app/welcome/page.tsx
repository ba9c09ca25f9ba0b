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
import { JoinNow } from "@/components/topic/join-now";
import { TopicRow } from "@/components/topic/topic-row";
import { ButtonLink } from "@/components/ui/button";
import { pathHere } from "@/lib/client/places";
import type { TopicListItem } from "@/lib/contract";
import { getWords } from "@/lib/i18n/server";
import { isWorkspace } from "@/lib/policy/gate";
import { pageHead } from "../_data/head";
import { domainBadges, myPicture } from "../_data/me";
import { topics, viewer } from "../_data/reads";
import { mySeals } from "../_data/seals";
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
    placesToGo(topicOf(next)),
    myPicture(),
    domainBadges(),
  ]);
  const [first] = places.opened;
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
      {first ? (
        <div className="grid justify-items-start gap-2 rounded-sheet border bg-sheet p-4">
          <p className="font-medium">{t("welcome.opens", { topic: first.title })}</p>
          {badges?.domains.length ? null : (
            <p className="text-sm text-soft">{t("welcome.seenAs", { name: who.nickname })}</p>
          )}
          <JoinNow topic={first} verb={t("welcome.join", { topic: first.title })} />
        </div>
      ) : null}
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
        <ButtonLink href={next} tone={first ? "plain" : "primary"}>
          {t("common.goHome")}
        </ButtonLink>
      </div>
    </Page>
  );
}

export default withWords(["install", "membership", "push", "seal"], Welcome);

const SHOWN = 4;
/** Active topics among which those without a gate are found; a member who just arrived has joined few. */
const LOOKED_AT = 24;

/** Returns the id of the topic that a path leads into; null for another page. */
function topicOf(next: string): string | null {
  return /^\/topics\/([^/?]+)/.exec(next)?.[1] ?? null;
}

/**
 * Topics that the member can join: those whose gate opens with what they have proven, and active ones without a gate.
 * @param wanted id of the topic that they signed in for, which comes first
 */
async function placesToGo(wanted: string | null) {
  const [opened, active] = await Promise.all([
    topics({ view: "opened", limit: LOOKED_AT }),
    topics({ view: "all", sort: "active", limit: LOOKED_AT }),
  ]);
  const rank = ({ id, proofType }: TopicListItem) => (id === wanted ? 0 : isWorkspace(proofType) ? 1 : 2);
  const open = active.ok ? active.value.topics : [];
  return {
    opened: (opened.ok ? opened.value.topics : []).toSorted((a, b) => rank(a) - rank(b)).slice(0, SHOWN),
    open: open.filter(({ isMember, proofType }) => !isMember && proofType === "none").slice(0, SHOWN),
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
