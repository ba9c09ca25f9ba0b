"use client";

import { MoreHorizontal } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useWords } from "#words";
import { type Client, callApi } from "@/components/call-api";
import { Menu, type MenuItem } from "@/components/ui/menu";
import { toast } from "@/components/ui/toast";
import { useLate } from "@/components/ui/use-late";
import type { ContentAct } from "./content-acts";
import type { ContentQuestion } from "./content-asks";
import { hideContent, type Target } from "./content-calls";

export interface ContentToolsProps {
  readonly target: Target;
  /** Nickname of who wrote it, for assistive technology. */
  readonly author: string;
  readonly isHidden: boolean;
  readonly isPinned?: boolean;
  readonly acts: readonly ContentAct[];
  /** What else stands in the menu, before the rest. */
  readonly more?: readonly MenuItem[];
  /** Instead of showing the page anew, once it is deleted. */
  readonly onRemoved?: () => void;
  /** Said then. */
  readonly removed?: string;
}

const loadAsks = () => import("./content-asks").then(({ ContentAsks }) => ContentAsks);

/** A menu beside a post or a comment: report it, and for staff pin, hide and delete it. */
export function ContentTools(props: ContentToolsProps) {
  const { target, author, isHidden, isPinned, more = [], onRemoved, removed } = props;
  const words = useWords();
  const { t } = words;
  const router = useRouter();
  const [asked, setAsked] = useState<ContentQuestion | null>(null);
  const [busy, setBusy] = useState(false);
  const asks = useLate(loadAsks);
  // Nothing is pinned while it is hidden.
  const acts = props.acts.filter((act) => act !== "pin" || !isHidden || isPinned);

  const done = () => {
    const wasRemoved = asked === "remove";
    setAsked(null);
    if (wasRemoved && onRemoved) onRemoved();
    else router.refresh();
  };
  const ask = (what: ContentQuestion) => asks.bring(() => setAsked(what));
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
  const items: Readonly<Record<ContentAct, MenuItem>> = {
    report: {
      label: t(target.commentId ? "report.comment" : "report.post"),
      onSelect: () => ask("report"),
    },
    pin: { label: t(isPinned ? "moderate.unpin" : "moderate.pin"), onSelect: pin },
    hide: isHidden
      ? { label: t("moderate.show"), onSelect: show }
      : { label: t("moderate.hide"), onSelect: () => ask("hide") },
    remove: { label: t("moderate.remove"), onSelect: () => ask("remove") },
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
      {asked && asks.Part ? (
        <asks.Part
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
