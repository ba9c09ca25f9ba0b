"use client";

import { MoreHorizontal } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useWords } from "#words";
import { type Client, callApi } from "@/components/call-api";
import { Menu, type MenuItem } from "@/components/ui/menu";
import { toast } from "@/components/ui/toast";
import { useLazyComponent } from "@/components/ui/use-lazy-component";
import type { Ability } from "@/lib/contract/abilities";
import { hideContent, type Target } from "./content-calls";
import type { ContentDialogKind } from "./content-dialogs";

export interface ContentToolsProps {
  readonly target: Target;
  /** Nickname of the author, for assistive technology. */
  readonly author: string;
  readonly isHidden: boolean;
  readonly isPinned?: boolean;
  /** What the reader may do with it, from the API. */
  readonly abilities: readonly Ability<"post" | "comment">[];
  readonly isMine: boolean;
  /** Whether nobody knows its author, whom staff can ban all the same. */
  readonly isAnonymous?: boolean;
  /** Further entries, at the start of the menu. */
  readonly more?: readonly MenuItem[];
  /** Called after the deletion instead of a refresh of the page. */
  readonly onRemoved?: () => void;
  /** Toast after the deletion. */
  readonly removed?: string;
}

/** Abilities with a menu entry, in order. */
const OFFERED = ["pin", "hide", "delete", "report"] as const;

const loadDialogs = () => import("./content-dialogs").then(({ ContentDialogs }) => ContentDialogs);

/** The menu of a post or comment: report it; staff also pin, hide and delete it. */
export function ContentTools(props: ContentToolsProps) {
  const { target, author, abilities, isMine, isHidden, isPinned, more = [], onRemoved, removed } = props;
  const words = useWords();
  const { t } = words;
  const router = useRouter();
  const [dialog, setDialog] = useState<ContentDialogKind | null>(null);
  const [busy, setBusy] = useState(false);
  const dialogs = useLazyComponent(loadDialogs);
  // Authors can delete their own content instead of reporting it.
  const acts = OFFERED.filter((act) => abilities.includes(act) && !(act === "report" && isMine));

  const done = () => {
    const wasRemoved = dialog === "remove";
    setDialog(null);
    if (wasRemoved && onRemoved) onRemoved();
    else router.refresh();
  };
  const open = (what: ContentDialogKind) => dialogs.load(() => setDialog(what));
  const now = async (work: (client: Client) => Promise<unknown>, said: string) => {
    setBusy(true);
    const answer = await callApi(words, work);
    setBusy(false);
    toast(answer.ok ? { text: said } : { text: answer.sentence, tone: "wrong" });
    if (answer.ok) done();
  };
  const pin = () =>
    void now(
      ({ api, contract }) => api.call(contract.posts.pin, { postId: target.postId }),
      t(isPinned ? "moderate.unpinned" : "moderate.pinned"),
    );
  const show = () => void now((client) => hideContent(client, target, false), t("moderate.shown"));
  const items: Readonly<Record<(typeof OFFERED)[number], MenuItem>> = {
    report: {
      label: t(target.commentId ? "report.comment" : "report.post"),
      onSelect: () => open("report"),
    },
    pin: { label: t(isPinned ? "moderate.unpin" : "moderate.pin"), onSelect: pin },
    hide: isHidden
      ? { label: t("moderate.show"), onSelect: show }
      : { label: t("common.hide"), onSelect: () => open("hide") },
    delete: { label: t("common.delete"), onSelect: () => open("remove") },
  };
  const ban: readonly MenuItem[] =
    props.isAnonymous && abilities.includes("hide")
      ? [{ label: t("anonymous.ban.act"), onSelect: () => open("ban") }]
      : [];
  if (acts.length + more.length === 0) return null;
  return (
    <>
      <Menu
        label={target.commentId ? t("moderate.commentTools", { name: author }) : t("moderate.tools")}
        trigger={<MoreHorizontal className="size-5" aria-hidden />}
        items={[...more, ...acts.map((act) => items[act]), ...ban]}
        busy={busy || dialogs.busy}
      />
      {dialog && dialogs.Component ? (
        <dialogs.Component
          kind={dialog}
          target={target}
          removed={removed}
          onDone={done}
          onClose={() => setDialog(null)}
        />
      ) : null}
    </>
  );
}
