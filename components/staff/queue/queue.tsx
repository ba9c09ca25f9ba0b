"use client";

import { Keyboard } from "lucide-react";
import { useRouter } from "next/navigation";
import { type KeyboardEvent, type ReactNode, useState } from "react";
import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { toast } from "@/components/ui/toast";
import { useLazyComponent } from "@/components/ui/use-lazy-component";
import type { ActDialogProps, AskedAct } from "./act-dialog";
import { QueueBar } from "./bar";
import type { Case, CasePerson, QueueAct, QueueSource } from "./case";
import { actsNow, isAtOnce } from "./case";
import { CaseActs } from "./case-acts";
import { CaseCard } from "./case-card";
import { commandOf, type QueueCommand } from "./keys";
import { useCurrentCase } from "./use-current-case";
import { useQueue } from "./use-queue";
import { useSelection } from "./use-selection";

export interface QueueProps {
  readonly cases: readonly Case[];
  readonly source: QueueSource;
  /** The reader. */
  readonly me: CasePerson;
  /** Whether answered cases stay in the list. */
  readonly keepsAnswered?: boolean;
  /** What shows without cases. The queue stays, so that its last act can still be taken back. */
  readonly empty: ReactNode;
  /** Paths of the same queue with one topic only, by topic. */
  readonly topicHrefs?: Readonly<Record<string, string>>;
}

/** Elements in which letters are typed, or that have keys of their own. */
const OWN_KEYS = "input:not([type=checkbox]), textarea, select, dialog, [role=menu]";

const loadDialog = () => import("./act-dialog").then(({ ActDialog }) => ActDialog);
const loadKeys = () => import("./keys-dialog").then(({ KeysDialog }) => KeysDialog);

/** What a key does to the case with the focus, the first act that it can. */
const ACTS_OF: Readonly<Partial<Record<QueueCommand, readonly QueueAct[]>>> = {
  hide: ["hide"],
  approve: ["approve"],
  dismiss: ["dismiss"],
  resolve: ["resolve"],
  delete: ["delete", "removeTopic", "remove_tag"],
  files: ["take_files_down"],
  author: ["silence", "mute"],
  out: ["suspend", "ban"],
  claim: ["claim", "release"],
};

/**
 * The queue of operators and of staff: cases to work through with keys or one click each. What is done shows at once, and
 * the focus goes on to the next case.
 */
export function Queue({ cases, source, me, keepsAnswered = false, empty, topicHrefs = {} }: QueueProps) {
  const { t } = useWords();
  const router = useRouter();
  const { rows, last, act, actAll, settle, undo, claim, defaultReason } = useQueue({
    ...{ cases, source, me, keepsAnswered },
  });
  const { current, list, moveBy, goOn, focus } = useCurrentCase(rows);
  const selection = useSelection(rows);
  const [asked, setAsked] = useState<Pick<ActDialogProps, "of" | "act"> | null>(null);
  const [showsKeys, setShowsKeys] = useState(false);
  const dialog = useLazyComponent(loadDialog);
  const keys = useLazyComponent(loadKeys);

  const mayNow = (of: Case, what: QueueAct) => actsNow(of, me.userId).includes(what);
  const leaves = (what: QueueAct) => !["claim", "release", "hold"].includes(what) && !keepsAnswered;
  const actNow = (of: Case, what: QueueAct, reason?: string) => {
    if (leaves(what)) goOn(of.id);
    selection.drop(of.id);
    void act(of, what, reason);
  };
  const ask = (of: Case, what: AskedAct) => {
    claim(of);
    dialog.load(() => setAsked({ of, act: what }));
  };
  const start = (of: Case, what: QueueAct) => {
    if (isAtOnce(what)) actNow(of, what);
    else if (isAsked(what)) ask(of, what);
  };
  const bulk = async (what: QueueAct) => {
    const able = selection.rows.filter((row) => mayNow(row, what));
    const [first] = able;
    if (!first) return;
    const lastAble = able.at(-1) ?? first;
    goOn(lastAble.id, new Set(able.map(({ id }) => id)));
    selection.clear();
    const failed = await actAll(able, what);
    if (failed > 0) toast({ text: t("queue.bulkFailed", { n: failed }), tone: "wrong" });
  };

  const run = (command: QueueCommand, of: Case | undefined): boolean => {
    if (command === "next" || command === "previous") moveBy(command === "next" ? 1 : -1);
    else if (command === "undo") void undo();
    else if (command === "help") keys.load(() => setShowsKeys(true));
    else if (!of) return false;
    else if (command === "select") selection.toggle(of.id);
    else if (command === "hideWith") {
      if (mayNow(of, "hide")) ask(of, "hide");
    } else if (command === "open") {
      const link = list.current?.querySelector<HTMLAnchorElement>(`[data-case="${of.id}"] a[data-place]`);
      link?.click();
    } else {
      const what = ACTS_OF[command]?.find((one) => mayNow(of, one));
      if (what) start(of, what);
    }
    return true;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const { target, defaultPrevented, nativeEvent } = event;
    if (defaultPrevented || !(target instanceof Element) || target.closest(OWN_KEYS)) return;
    const command = commandOf(nativeEvent);
    if (!command) return;
    const at = target.closest<HTMLElement>("[data-case]")?.dataset.case;
    if (
      run(
        command,
        rows.find(({ id }) => id === at),
      )
    )
      event.preventDefault();
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the cases in it have the focus; buttons do the same as the keys
    <div onKeyDown={onKeyDown} className="grid gap-4">
      <p className="hidden items-center justify-between text-sm text-soft md:flex wide:hidden">
        {t("queue.onPage", { n: rows.length })}
        <Button size="sm" tone="quiet" onClick={() => keys.load(() => setShowsKeys(true))}>
          <Keyboard className="size-4" aria-hidden /> {t("queue.keysOpen")}
        </Button>
      </p>
      <ul ref={list} tabIndex={-1} aria-label={t("queue.list")} className="grid gap-4 outline-none">
        {rows.map((row) => (
          <li key={row.id} onFocus={() => focus(row.id)}>
            <CaseCard
              of={row}
              source={source}
              me={me.userId}
              isCurrent={row.id === current}
              selected={BULK.some((one) => mayNow(row, one)) ? selection.has(row.id) : null}
              onSelect={() => selection.toggle(row.id)}
              onOpen={() => claim(row)}
              topicHref={(row.topic && topicHrefs[row.topic.id]) ?? null}
            >
              <CaseActs
                of={row}
                acts={actsNow(row, me.userId)}
                onAct={(what, reason) => actNow(row, what, reason)}
                onAsk={(what) => start(row, what)}
                onHideWith={() => ask(row, "hide")}
                history={source === "desk" && row.author ? `/desk/accounts/${row.author.userId}` : null}
              />
            </CaseCard>
          </li>
        ))}
      </ul>
      {rows.length === 0 ? empty : null}
      <QueueBar
        last={last}
        selected={selection.rows}
        total={rows.length}
        acts={BULK.filter((what) => selection.rows.some((row) => mayNow(row, what)))}
        onBulk={(what) => void bulk(what)}
        onSelectAll={selection.all}
        onClear={selection.clear}
        onUndo={() => void undo()}
      />
      {asked && dialog.Component ? (
        <dialog.Component
          {...asked}
          source={source}
          reason={defaultReason(asked.of, asked.act)}
          onDone={() => {
            setAsked(null);
            if (leaves(asked.act)) goOn(asked.of.id);
            settle(asked.of, asked.act);
            // Whose nickname or topic changed is elsewhere on the page too.
            router.refresh();
          }}
          onClose={() => setAsked(null)}
        />
      ) : null}
      {showsKeys && keys.Component ? (
        <keys.Component source={source} onClose={() => setShowsKeys(false)} />
      ) : null}
    </div>
  );
}

/** Acts on several cases at once. */
const BULK: readonly QueueAct[] = ["approve", "hide", "dismiss", "resolve"];

function isAsked(act: QueueAct): act is AskedAct {
  return !isAtOnce(act);
}
