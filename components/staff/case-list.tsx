"use client";

import { MoreHorizontal } from "lucide-react";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { type ReactNode, useMemo, useState } from "react";
import { useWords } from "#words";
import type { Client } from "@/components/call-api";
import { Button } from "@/components/ui/button";
import { Avatar } from "@/components/ui/identicon";
import { Menu } from "@/components/ui/menu";
import { Badge } from "@/components/ui/notes";
import { TimeAgo } from "@/components/ui/time-ago";
import { commentPlace } from "@/lib/client/places";
import type { Report } from "@/lib/contract/moderation";
import { type Case, casesOf } from "./cases";
import { ContentDialog } from "./content-dialog";
import { SanctionDialog } from "./sanction-dialog";
import { useOptimisticRows } from "./use-optimistic-rows";

export interface CaseListProps {
  readonly topicId: string;
  readonly reports: readonly Report[];
}

type DialogKind = "hide" | "remove" | "mute" | "ban";

/** Decides a case. The server closes every open report of the same content with it. */
const decide =
  (topicId: string, { id }: Case, action: "dismiss" | "resolve", reason?: string) =>
  ({ api, contract }: Client) =>
    api.call(contract.moderation.decideReport, { topicId, reportId: id, action, reason });

/** The moderation queue: reported content, with the staff's actions. */
export function CaseList({ topicId, reports }: CaseListProps) {
  const { t } = useWords();
  const router = useRouter();
  const cases = useMemo(() => casesOf(reports), [reports]);
  const { shown, change, list } = useOptimisticRows(cases, ({ id }) => id);
  const [dialog, setDialog] = useState<{ readonly kind: DialogKind; readonly about: Case } | null>(null);
  const close = () => setDialog(null);
  const done = () => {
    close();
    router.refresh();
  };
  const decideNow = (row: Case, action: "dismiss" | "resolve") =>
    void change({
      row,
      to: null,
      work: decide(topicId, row, action),
      done: t(action === "dismiss" ? "reports.dismissed" : "reports.resolved"),
      outdated: ["report_not_found"],
    });
  return (
    <>
      <ul ref={list} tabIndex={-1} aria-label={t("reports.title")} className="grid gap-4 outline-none">
        {shown.map((row) => (
          <li key={row.id}>
            <CaseCard of={row}>
              {row.first.status === "open" ? (
                <Actions
                  about={row}
                  onDecide={(action) => decideNow(row, action)}
                  onOpen={(kind) => setDialog({ kind, about: row })}
                />
              ) : null}
            </CaseCard>
          </li>
        ))}
      </ul>
      {(dialog?.kind === "hide" || dialog?.kind === "remove") && dialog.about.first.postId ? (
        <ContentDialog
          act={dialog.kind}
          target={{ postId: dialog.about.first.postId, commentId: dialog.about.first.commentId }}
          title={t(`reports.${dialog.kind}Title`)}
          text={`${t(`reports.${dialog.kind}Text`)} ${t("reports.alsoSettles")}`}
          confirm={t(`reports.${dialog.kind}Confirm`)}
          after={(client, reason) => decide(topicId, dialog.about, "resolve", reason)(client)}
          done={t("reports.resolved")}
          onDone={done}
          onClose={close}
        />
      ) : null}
      {dialog?.kind === "mute" || dialog?.kind === "ban" ? (
        <SanctionDialog
          kind={dialog.kind}
          topicId={topicId}
          person={dialog.about.first.author}
          also={{
            text: t("reports.alsoSettles"),
            work: (client, reason) => decide(topicId, dialog.about, "resolve", reason)(client),
          }}
          onDone={done}
          onClose={close}
        />
      ) : null}
    </>
  );
}

interface ActionsProps {
  readonly about: Case;
  readonly onDecide: (action: "dismiss" | "resolve") => void;
  readonly onOpen: (kind: DialogKind) => void;
}

function Actions({ about: { first }, onDecide, onOpen }: ActionsProps) {
  const { t } = useWords();
  const name = first.author.nickname;
  // A chat message can be neither hidden nor deleted from here.
  const isThere = !first.isDeleted && first.postId !== null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as a row
    <div role="group" aria-label={t("reports.act", { name })} className="flex flex-wrap items-center gap-2">
      <Button size="sm" onClick={() => onDecide("dismiss")}>
        {t("reports.dismiss")}
      </Button>
      {isThere && !first.isHidden ? (
        <Button size="sm" onClick={() => onOpen("hide")}>
          {t("common.hide")}
        </Button>
      ) : (
        <Button size="sm" onClick={() => onDecide("resolve")}>
          {t("reports.settle")}
        </Button>
      )}
      {isThere ? (
        <Button size="sm" tone="danger" onClick={() => onOpen("remove")}>
          {t("common.delete")}
        </Button>
      ) : null}
      {first.author.abilities.length > 0 ? (
        <Menu
          label={t("reports.author", { name })}
          trigger={<MoreHorizontal className="size-5" aria-hidden />}
          items={first.author.abilities.map((ability) => ({
            label: t(`staff.${ability}Title`, { name }),
            onSelect: () => onOpen(ability),
          }))}
        />
      ) : null}
    </div>
  );
}

interface CaseCardProps {
  readonly of: Case;
  /** The actions. */
  readonly children: ReactNode;
}

/** Reported content: an excerpt, a link to it, and its reports. */
function CaseCard({ of: { first, reports }, children }: CaseCardProps) {
  const { t } = useWords();
  const place = first.postId ? commentPlace(first.postId, first.commentId) : `/topics/${first.topicId}/chat`;
  const name = first.author.nickname;
  return (
    <article className="grid gap-3 rounded-sheet border bg-sheet p-4">
      <header className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-soft">
        <Avatar userId={first.author.userId} image={first.author.profileImage} size="xs" />
        <span className="font-medium text-ink">
          {t(first.messageId ? "reports.messageBy" : first.commentId ? "post.commentBy" : "reports.postBy", {
            name,
          })}
        </span>
        {first.isHidden ? <Badge tone="warning">{t("common.hidden")}</Badge> : null}
        {first.isDeleted ? <Badge>{t("reports.gone")}</Badge> : null}
        {first.status === "open" ? null : <Badge tone="good">{t(`reports.statuses.${first.status}`)}</Badge>}
      </header>
      <blockquote className="grid gap-1 border-s-2 border-line-strong/60 ps-3" dir="auto">
        {first.commentId || !first.title ? null : (
          <p className="font-serif text-lg font-semibold">{first.title}</p>
        )}
        {first.isDeleted ? (
          <AsReported snapshot={first.snapshot} />
        ) : (
          <p className="whitespace-pre-wrap">{first.excerpt}</p>
        )}
      </blockquote>
      <p className="text-sm">
        <Link href={place} className="link reach">
          {t("reports.see")}
        </Link>
        {first.commentId && first.title ? (
          <span className="text-soft">
            {" "}
            · {t("reports.on")} <span dir="auto">{first.title}</span>
          </span>
        ) : null}
      </p>
      <ul className="grid gap-2">
        {reports.map((one) => (
          <OneReport key={one.id} report={one} />
        ))}
      </ul>
      {children}
    </article>
  );
}

/** What was reported and is gone by now. */
function AsReported({ snapshot }: Pick<Report, "snapshot">) {
  const { t } = useWords();
  if (!snapshot) return <p className="text-soft italic">{t("reports.goneText")}</p>;
  return (
    <>
      <p className="text-soft italic">{t("reports.asReported")}</p>
      {snapshot.title ? <p className="font-serif text-lg font-semibold">{snapshot.title}</p> : null}
      <p className="whitespace-pre-wrap">{snapshot.text}</p>
    </>
  );
}

function OneReport({ report }: { readonly report: Report }) {
  const { t } = useWords();
  return (
    <li className="grid gap-0.5 rounded-control bg-wash px-3 py-2 text-sm">
      <p className="flex flex-wrap gap-x-2">
        <span className="font-medium">{t(`report.reasons.${report.reason}`)}</span>
        <span className="text-soft">
          {t("reports.reportedBy", { name: report.reporter.nickname })} · <TimeAgo at={report.createdAt} />
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
