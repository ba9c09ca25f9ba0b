"use client";

import { MoreHorizontal } from "lucide-react";
import { useRouter } from "next/navigation";
import { useMemo, useState } from "react";
import { useWords } from "#words";
import type { Client } from "@/components/call-api";
import { Button } from "@/components/ui/button";
import { Menu } from "@/components/ui/menu";
import type { Report } from "@/lib/contract/moderation";
import { CaseCard } from "./case-card";
import { type Case, casesOf } from "./cases";
import { ContentDialog } from "./content-dialog";
import { SanctionDialog } from "./sanction-dialog";
import { useKeptFocus } from "./use-kept-focus";
import { useOptimisticRows } from "./use-optimistic-rows";

export interface CaseListProps {
  readonly topicId: string;
  readonly reports: readonly Report[];
}

type Question = "hide" | "remove" | "mute" | "ban";

/** Answers a case: the server closes every open report of the same thing with it. */
const settle =
  (topicId: string, { id }: Case, action: "dismiss" | "resolve", reason?: string) =>
  ({ api, contract }: Client) =>
    api.call(contract.moderation.decideReport, { topicId, reportId: id, action, reason });

/** The staff's queue: what was reported, and what is done about it. */
export function CaseList({ topicId, reports }: CaseListProps) {
  const { t } = useWords();
  const router = useRouter();
  const cases = useMemo(() => casesOf(reports), [reports]);
  const { shown, change } = useOptimisticRows(cases, ({ id }) => id);
  const [asked, setAsked] = useState<{ readonly what: Question; readonly about: Case } | null>(null);
  const list = useKeptFocus<HTMLUListElement>(shown.length);
  const close = () => setAsked(null);
  const done = () => {
    close();
    router.refresh();
  };
  const answer = (row: Case, action: "dismiss" | "resolve") =>
    void change({
      row,
      to: null,
      work: settle(topicId, row, action),
      done: t(action === "dismiss" ? "reports.dismissed" : "reports.resolved"),
      overtaken: ["report_not_found"],
    });
  return (
    <>
      <ul ref={list} tabIndex={-1} aria-label={t("reports.title")} className="grid gap-4 outline-none">
        {shown.map((row) => (
          <li key={row.id}>
            <CaseCard of={row}>
              {row.first.status === "open" ? (
                <Answers
                  about={row}
                  onAnswer={(action) => answer(row, action)}
                  onAsk={(what) => setAsked({ what, about: row })}
                />
              ) : null}
            </CaseCard>
          </li>
        ))}
      </ul>
      {asked?.what === "hide" || asked?.what === "remove" ? (
        <ContentDialog
          act={asked.what}
          target={{ postId: asked.about.first.postId, commentId: asked.about.first.commentId }}
          title={t(`reports.${asked.what}Title`)}
          text={`${t(`reports.${asked.what}Text`)} ${t("reports.alsoSettles")}`}
          confirm={t(`reports.${asked.what}Confirm`)}
          after={(client, reason) => settle(topicId, asked.about, "resolve", reason)(client)}
          done={t("reports.resolved")}
          onDone={done}
          onClose={close}
        />
      ) : null}
      {asked?.what === "mute" || asked?.what === "ban" ? (
        <SanctionDialog
          kind={asked.what}
          topicId={topicId}
          person={asked.about.first.author}
          also={{
            text: t("reports.alsoSettles"),
            work: (client, reason) => settle(topicId, asked.about, "resolve", reason)(client),
          }}
          onDone={done}
          onClose={close}
        />
      ) : null}
    </>
  );
}

interface AnswersProps {
  readonly about: Case;
  readonly onAnswer: (action: "dismiss" | "resolve") => void;
  readonly onAsk: (what: Question) => void;
}

function Answers({ about: { first }, onAnswer, onAsk }: AnswersProps) {
  const { t } = useWords();
  const name = first.author.nickname;
  const isThere = !first.isDeleted;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as a row
    <div role="group" aria-label={t("reports.act", { name })} className="flex flex-wrap items-center gap-2">
      <Button size="sm" onClick={() => onAnswer("dismiss")}>
        {t("reports.dismiss")}
      </Button>
      {isThere && !first.isHidden ? (
        <Button size="sm" onClick={() => onAsk("hide")}>
          {t("reports.hide")}
        </Button>
      ) : (
        <Button size="sm" onClick={() => onAnswer("resolve")}>
          {t("reports.settle")}
        </Button>
      )}
      {isThere ? (
        <Button size="sm" tone="danger" onClick={() => onAsk("remove")}>
          {t("reports.remove")}
        </Button>
      ) : null}
      {first.author.abilities.length > 0 ? (
        <Menu
          label={t("reports.author", { name })}
          trigger={<MoreHorizontal className="size-5" aria-hidden />}
          items={first.author.abilities.map((ability) => ({
            label: t(`reports.${ability}Author`, { name }),
            onSelect: () => onAsk(ability),
          }))}
        />
      ) : null}
    </div>
  );
}
