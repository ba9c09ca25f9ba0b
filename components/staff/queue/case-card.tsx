"use client";

import Link from "next/link";
import { type ReactNode, useId, useState } from "react";
import { useWords } from "#words";
import { Badge } from "@/components/ui/badge";
import { Avatar } from "@/components/ui/identicon";
import { nameOf } from "@/components/ui/member-name";
import { TimeAgo } from "@/components/ui/time-ago";
import { type Case, type CaseReport, caseName, casePlace, type QueueSource } from "./case";

/** Characters above which a text is folded. */
const LONG = 420;
/** Reports of a case that show at once. */
const SHOWN_REPORTS = 3;

export interface CaseCardProps {
  readonly of: Case;
  readonly source: QueueSource;
  readonly me: string;
  /** Whether the Tab key reaches it: one of the list. */
  readonly isCurrent: boolean;
  /** Null where nothing is selected together. */
  readonly selected: boolean | null;
  readonly onSelect: (selected: boolean) => void;
  /** Called before the reader follows the link to the content. */
  readonly onOpen: () => void;
  /** Path of the same queue with this topic only; null on the page of one topic. */
  readonly topicHref: string | null;
  /** The acts. */
  readonly children: ReactNode;
}

/** A case: what was reported, whose it is, who reported it and why. */
export function CaseCard(props: CaseCardProps) {
  const { of, source, me, isCurrent, selected, onSelect, onOpen, topicHref, children } = props;
  const words = useWords();
  const { t } = words;
  const id = useId();
  const place = casePlace(of);
  const name = caseName(of, t("queue.untitled"));
  const who = of.author ? nameOf(words, of.author.nickname) : of.title;
  const account = source === "desk" && of.author ? `/desk/accounts/${of.author.userId}` : null;
  return (
    <article
      data-case={of.id}
      tabIndex={isCurrent ? 0 : -1}
      aria-labelledby={`${id}-who`}
      aria-describedby={`${id}-what`}
      className="grid scroll-my-24 gap-3 rounded-sheet border bg-sheet p-4 focus-visible:outline-offset-0"
    >
      <header className="flex items-start gap-3">
        <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-2 gap-y-1 text-sm text-soft">
          {of.author ? <Avatar userId={of.author.userId} image={of.author.profileImage} size="xs" /> : null}
          <h2 id={`${id}-who`} className="font-medium text-ink">
            {account ? (
              <Link href={account} prefetch={false} className="reach hover:underline">
                {t(`queue.by.${of.kind}`, { name: who })}
              </Link>
            ) : (
              t(`queue.by.${of.kind}`, { name: who })
            )}
          </h2>
          {of.topic?.title && of.kind !== "topic" ? (
            topicHref ? (
              <Link
                href={topicHref}
                prefetch={false}
                scroll={false}
                title={t("queue.onlyTopic")}
                className="reach max-w-full truncate hover:text-ink hover:underline"
              >
                <bdi>{t("queue.inTopic", { topic: of.topic.title })}</bdi>
              </Link>
            ) : (
              <bdi>{t("queue.inTopic", { topic: of.topic.title })}</bdi>
            )
          ) : null}
          <Badges of={of} me={me} />
        </div>
        {selected === null ? null : (
          <label className="tap -m-2 inline-flex cursor-pointer items-center justify-center p-2">
            <input
              type="checkbox"
              checked={selected}
              onChange={(event) => onSelect(event.target.checked)}
              aria-label={t("queue.select", { name })}
              className="size-4 accent-(--ink)"
            />
          </label>
        )}
      </header>
      <Content of={of} id={`${id}-what`} />
      {place && of.state !== "gone" ? (
        <p className="text-sm">
          <Link href={place} prefetch={false} data-place className="link reach" onClick={onOpen}>
            {t("reports.see")}
          </Link>
        </p>
      ) : null}
      <Reports of={of} source={source} />
      {of.decision ? (
        <p dir="auto" className="text-sm text-soft">
          {t("queue.decision", { reason: of.decision })}
        </p>
      ) : null}
      {children}
    </article>
  );
}

function Badges({ of, me }: { readonly of: Case; readonly me: string }) {
  const { t } = useWords();
  const { claimedBy, status, state } = of;
  return (
    <>
      {of.isWaiting ? <Badge tone="warning">{t("queue.waits")}</Badge> : null}
      {state === "hidden" && !of.isWaiting ? <Badge tone="warning">{t("common.hidden")}</Badge> : null}
      {state === "gone" ? <Badge>{t("reports.gone")}</Badge> : null}
      {of.isHeld ? <Badge>{t("queue.held")}</Badge> : null}
      {status === "open" ? null : <Badge tone="good">{t(`reports.statuses.${status}`)}</Badge>}
      {claimedBy ? (
        <Badge tone={claimedBy.userId === me ? "good" : "warning"}>
          {claimedBy.userId === me
            ? t("queue.claimedByMe")
            : t("queue.claimedBy", { name: claimedBy.nickname })}
        </Badge>
      ) : null}
    </>
  );
}

function Content({ of, id }: { readonly of: Case; readonly id: string }) {
  const { t } = useWords();
  const [isWhole, setWhole] = useState(false);
  const { title, text, files } = of;
  const isLong = text.length > LONG || text.split("\n").length > 8;
  return (
    <div className="grid gap-1.5 border-s-2 border-line-strong/60 ps-3">
      <blockquote id={id} className="grid gap-1">
        {title && of.kind !== "comment" ? (
          <p dir="auto" className="font-serif text-lg leading-snug font-semibold">
            {title}
          </p>
        ) : null}
        {text && text !== title ? (
          <p
            dir="auto"
            className={isLong && !isWhole ? "line-clamp-6 whitespace-pre-wrap" : "whitespace-pre-wrap"}
          >
            {text}
          </p>
        ) : null}
        {title || text ? null : (
          <p className="text-soft italic">{t(of.isSnapshot ? "queue.goneText" : "queue.untitled")}</p>
        )}
      </blockquote>
      <p className="flex flex-wrap gap-x-3 text-sm text-soft empty:hidden">
        {isLong ? (
          <button
            type="button"
            aria-expanded={isWhole}
            onClick={() => setWhole(!isWhole)}
            className="link reach"
          >
            {t(isWhole ? "queue.less" : "queue.whole")}
          </button>
        ) : null}
        {files > 0 ? <span>{t("queue.files", { n: files })}</span> : null}
        {of.kind === "comment" && title ? (
          <span>
            {t("reports.on")} <bdi>{title}</bdi>
          </span>
        ) : null}
      </p>
    </div>
  );
}

function Reports({ of, source }: { readonly of: Case; readonly source: QueueSource }) {
  const { t } = useWords();
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? of.reports : of.reports.slice(0, SHOWN_REPORTS);
  const more = of.reportCount - shown.length;
  return (
    <ul className="grid gap-1.5">
      {of.isWaiting ? (
        <li className="rounded-control bg-wash px-3 py-2 text-sm">{t("queue.reviewWords")}</li>
      ) : null}
      {shown.map((one) => (
        <OneReport key={one.id} report={one} source={source} />
      ))}
      {more > 0 ? (
        <li className="px-3 text-sm text-soft">
          {shown.length < of.reports.length ? (
            <button type="button" onClick={() => setWhole(true)} className="link reach">
              {t("queue.moreReports", { n: more })}
            </button>
          ) : (
            t("queue.moreReports", { n: more })
          )}
        </li>
      ) : null}
    </ul>
  );
}

interface OneReportProps {
  readonly report: CaseReport;
  readonly source: QueueSource;
}

function OneReport({ report, source }: OneReportProps) {
  const words = useWords();
  const { t } = words;
  const { reporter, record } = report;
  const by = t("reports.reportedBy", { name: nameOf(words, reporter.nickname) });
  return (
    <li className="grid gap-0.5 rounded-control bg-wash px-3 py-2 text-sm">
      <p className="flex flex-wrap gap-x-2">
        <span className="font-medium">{t(`report.reasons.${report.reason}`)}</span>
        <span className="text-soft">
          {source === "desk" ? (
            <Link
              href={`/desk/accounts/${reporter.userId}`}
              prefetch={false}
              className="reach hover:text-ink hover:underline"
            >
              {by}
            </Link>
          ) : (
            by
          )}{" "}
          · <TimeAgo at={report.createdAt} />
          {record ? (
            <>
              {" · "}
              {record.resolved + record.dismissed > 0 ? t("queue.record", record) : t("queue.firstReport")}
            </>
          ) : null}
        </span>
      </p>
      {report.details ? (
        <p dir="auto" className="whitespace-pre-wrap">
          {report.details}
        </p>
      ) : null}
    </li>
  );
}
