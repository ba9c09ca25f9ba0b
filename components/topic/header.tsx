import { PenLine, Settings2, UserPlus } from "lucide-react";
import { useWords } from "#words";
import { ReportMenu } from "@/components/report/report-menu";
import { Title } from "@/components/text/title";
import { Badge } from "@/components/ui/badge";
import { ButtonLink } from "@/components/ui/button";
import { cx } from "@/components/ui/cx";
import type { contract, ResponseBody } from "@/lib/contract";
import { categoryName } from "@/lib/i18n/categories";
import { MuteNote } from "./mute-note";
import { opennessOf } from "./openness";
import { ProofNote } from "./proof-note";
import { TopicAlerts } from "./topic-alerts";
import { GateChip, TopicPicture } from "./topic-row";

export type TopicView = ResponseBody<typeof contract.topics.get>;

export interface TopicHeaderProps {
  readonly view: TopicView;
  /** Name and role only, above tabs with much content. */
  readonly brief?: boolean;
}

/** Name, description, size and the viewer's role in a topic. */
export function TopicHeader({ view, brief }: TopicHeaderProps) {
  const { topic, muted, proof } = view;
  const hasNote = muted !== null || (proof !== null && proof.state !== "current");
  return (
    // A phone's top bar already shows the name.
    <header className={cx("gap-3", brief && !hasNote ? "sr-only md:not-sr-only md:grid" : "grid")}>
      {topic.banner && !brief ? (
        // biome-ignore lint/performance/noImgElement: next/image writes inline styles, which the CSP refuses
        <img
          src={topic.banner}
          alt=""
          className="aspect-[3/1] w-full rounded-sheet border bg-wash object-cover md:aspect-[4/1]"
        />
      ) : null}
      {brief ? null : <Facts view={view} />}
      <div className={cx("flex items-center gap-4", brief && "sr-only md:not-sr-only md:flex")}>
        {topic.image || brief ? <TopicPicture topic={topic} size={brief ? "md" : "lg"} /> : null}
        <h1
          className={brief ? "font-serif text-2xl font-semibold" : "font-serif text-3xl font-semibold"}
          dir="auto"
        >
          <Title of={topic.title} />
        </h1>
      </div>
      {topic.description && !brief ? (
        <p className="line-clamp-4 max-w-[68ch] text-lg text-soft" dir="auto">
          {topic.description}
        </p>
      ) : null}
      {brief ? null : <Actions view={view} />}
      <ProofNote topicId={topic.id} proof={proof} />
      {muted ? <MuteNote reason={muted.reason} until={muted.until} /> : null}
    </header>
  );
}

function Facts({ view: { topic, currentUserRole, joinPending } }: { readonly view: TopicView }) {
  const words = useWords();
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-soft">
      {topic.category ? (
        <span>
          <span aria-hidden="true">{topic.category.icon}</span> {categoryName(words, topic.category)}
        </span>
      ) : null}
      <span>{words.t("common.members", { n: topic.memberCount })}</span>
      <span>{words.t("common.posts", { n: topic.postCount })}</span>
      {topic.visibility === "public" ? null : (
        <Badge>{words.t(`topic.visibilities.${opennessOf(topic)}`)}</Badge>
      )}
      {currentUserRole ? <Badge tone="good">{words.t(`topic.${currentUserRole}`)}</Badge> : null}
      {joinPending ? <Badge tone="warning">{words.t("topic.pending")}</Badge> : null}
    </p>
  );
}

function Actions({ view: { topic, userSettings, currentUserRole } }: { readonly view: TopicView }) {
  const { t } = useWords();
  const home = `/topics/${topic.id}`;
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-3">
      {topic.abilities.includes("write") ? (
        <>
          <ButtonLink href={`${home}/new`} tone="primary" aria-keyshortcuts="c">
            <PenLine className="size-4" aria-hidden />
            {t("topic.write")}
          </ButtonLink>
          <ButtonLink href={`${home}/invites`} prefetch={false}>
            <UserPlus className="size-4" aria-hidden />
            {t("topic.invite")}
          </ButtonLink>
        </>
      ) : null}
      {topic.abilities.includes("edit") ? (
        <ButtonLink href={`${home}/edit`} prefetch={false} tone="quiet">
          <Settings2 className="size-4" aria-hidden />
          {/* On a phone, everything is on one line. */}
          <span className="max-sm:sr-only">{t("topic.edit")}</span>
        </ButtonLink>
      ) : null}
      {userSettings ? <TopicAlerts topicId={topic.id} settings={userSettings} /> : null}
      {topic.abilities.includes("report") && currentUserRole !== "owner" ? (
        <ReportMenu target={{ kind: "topic", topicId: topic.id }} />
      ) : null}
      <GateChip topic={topic} />
    </div>
  );
}
