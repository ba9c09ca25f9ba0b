"use client";

import { ChevronDown, MoreHorizontal } from "lucide-react";
import { useRouter } from "next/navigation";
import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { Menu, type MenuItem } from "@/components/ui/menu";
import { type Case, caseName, isAtOnce, type QueueAct } from "./case";
import { fittingTemplates } from "./templates";

/** Acts with a button; the others are in the menu. At most three show. */
const BUTTONS: readonly QueueAct[] = [
  ...(["approve", "hide", "reset_nickname", "remove_image", "freeze", "renameTag"] as const),
  ...(["remove_tag", "dismiss"] as const),
];
/** Keys for assistive technology (keys.ts). */
const KEYS: Readonly<Partial<Record<QueueAct, string>>> = {
  ...{ approve: "a", hide: "h", dismiss: "d", resolve: "r", delete: "Delete" },
};

export interface CaseActsProps {
  readonly of: Case;
  /** What the reader may do now. */
  readonly acts: readonly QueueAct[];
  /** Does something at once. @param reason instead of the one that fits the report */
  readonly onAct: (act: QueueAct, reason?: string) => void;
  /** Asks for what an act needs. */
  readonly onAsk: (act: QueueAct) => void;
  /** Asks for the reason of hiding it. */
  readonly onHideWith: () => void;
  /** Path of the author's history; null where there is none. */
  readonly history: string | null;
}

/** What the reader can do about a case: the usual with one click, the rest in a menu. */
export function CaseActs({ of, acts, onAct, onAsk, onHideWith, history }: CaseActsProps) {
  const { t } = useWords();
  const router = useRouter();
  const name = caseName(of, t("queue.untitled"));
  const author = of.author?.nickname ?? "";
  if (acts.length === 0) return null;
  const start = (act: QueueAct) => (isAtOnce(act) ? onAct(act) : onAsk(act));
  const label = (act: QueueAct) => t(`queue.acts.${act}`, { name: author });
  const buttons = acts.filter((act) => BUTTONS.includes(act)).slice(0, 3);
  // Without a button that acts on the content, resolving is the usual answer besides dismissing.
  if (buttons.length < 2 && acts.includes("resolve")) buttons.push("resolve");
  const rest = acts.filter((act) => !buttons.includes(act));
  const entries: readonly MenuItem[] = [
    ...rest.map((act) => ({ label: label(act), onSelect: () => start(act) })),
    ...(history
      ? [{ label: t("queue.history", { name: author }), onSelect: () => router.push(history) }]
      : []),
  ];
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as a row
    <div role="group" aria-label={t("reports.act", { name })} className="flex flex-wrap items-center gap-2">
      {buttons.map((act) =>
        act === "hide" ? (
          <HideButton key={act} of={of} onAct={onAct} onHideWith={onHideWith} />
        ) : (
          <Button key={act} size="sm" aria-keyshortcuts={KEYS[act]} onClick={() => start(act)}>
            {label(act)}
          </Button>
        ),
      )}
      {entries.length > 0 ? (
        <Menu
          label={t("queue.more", { name })}
          trigger={<MoreHorizontal className="size-5" aria-hidden />}
          items={entries}
        />
      ) : null}
    </div>
  );
}

/** Hides for the reason that was reported; beside it, for another one. */
function HideButton({ of, onAct, onHideWith }: Pick<CaseActsProps, "of" | "onAct" | "onHideWith">) {
  const { t } = useWords();
  const [first, ...others] = fittingTemplates(of.reasons);
  const more = [...others, ...(["spam", "abuse"] as const)].filter(
    (one, at, all) => one !== first && all.indexOf(one) === at,
  );
  return (
    <div className="ease flex items-center rounded-control border bg-sheet hover:border-line-strong">
      <Button
        size="sm"
        aria-keyshortcuts={KEYS.hide}
        onClick={() => onAct("hide")}
        className="border-transparent hover:border-transparent"
      >
        {t("queue.hideFor", { reason: t(`queue.short.${of.reasons[0] ?? "other"}`) })}
      </Button>
      <Menu
        label={t("queue.otherReason")}
        className="border-s [&>button]:size-8"
        trigger={<ChevronDown className="size-4" aria-hidden />}
        items={[
          ...more.map((template) => {
            const sentence = t(`reason.templates.${template}`);
            return { label: sentence, onSelect: () => onAct("hide", sentence) };
          }),
          { label: t("queue.ownReason"), onSelect: onHideWith },
        ]}
      />
    </div>
  );
}
