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
import type { ContentQuestion } from "./content-asks";
import { hideContent, type Target } from "./content-calls";

export interface ContentToolsProps {
  readonly target: Target;
  /** Nickname of the author, for assistive technology. */
  readonly author: string;
  readonly isHidden: boolean;
  readonly isPinned?: boolean;
  /** What the reader may do with it, from the API. */
  readonly abilities: readonly Ability<"post" | "comment">[];
  readonly isMine: boolean;
  /** Further entries, at the start of the menu. */
  readonly more?: readonly MenuItem[];
  /** Called after the deletion instead of a refresh of the page. */
  readonly onRemoved?: () => void;
  /** Toast after the deletion. */
  readonly removed?: string;
}

/** Abilities with a menu entry, in order. */
const OFFERED = ["pin", "hide", "delete", "report"] as const;

const loadAsks = () => import("./content-asks").then(({ ContentAsks }) => ContentAsks);

/** The menu of a post or comment: report it; staff also pin, hide and delete it. */
export function ContentTools(props: ContentToolsProps) {
  const { target, author, abilities, isMine, isHidden, isPinned, more = [], onRemoved, removed } = props;
  const words = useWords();
  const { t } = words;
  const router = useRouter();
  const [asked, setAsked] = useState<ContentQuestion | null>(null);
  const [busy, setBusy] = useState(false);
  const asks = useLazyComponent(loadAsks);
  // Authors can delete their own content instead of reporting it.
  const acts = OFFERED.filter((act) => abilities.includes(act) && !(act === "report" && isMine));

  const done = () => {
    const wasRemoved = asked === "remove";
    setAsked(null);
    if (wasRemoved && onRemoved) onRemoved();
    else router.refresh();
  };
  const ask = (what: ContentQuestion) => asks.load(() => setAsked(what));
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
      onSelect: () => ask("report"),
    },
    pin: { label: t(isPinned ? "moderate.unpin" : "moderate.pin"), onSelect: pin },
    hide: isHidden
      ? { label: t("moderate.show"), onSelect: show }
      : { label: t("common.hide"), onSelect: () => ask("hide") },
    delete: { label: t("common.delete"), onSelect: () => ask("remove") },
  };
  if (acts.length + more.length === 0) return null;
  return (
    <>
      <Menu
        label={target.commentId ? t("moderate.commentTools", { name: author }) : t("moderate.tools")}
        trigger={<MoreHorizontal className="size-5" aria-hidden />}
        items={[...more, ...acts.map((act) => items[act])]}
        busy={busy || asks.busy}
      />
      {asked && asks.Component ? (
        <asks.Component
          asked={asked}
          target={target}
          removed={removed}
          onDone={done}
          onClose={() => setAsked(null)}
        />
      ) : null}
    </>
  );
}
