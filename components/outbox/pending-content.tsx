"use client";

import { Clock, TriangleAlert } from "lucide-react";
import { useRouter } from "next/navigation";
import { useEffect, useRef, useState } from "react";
import { useWords } from "#words";
import { refusalSentence } from "@/components/api";
import { reader } from "@/components/offline/state";
import { Button } from "@/components/ui/button";
import { toast } from "@/components/ui/toast";
import { discard, type Entry, type Kind, pending, sendNow, textOf, watchEntries } from "@/lib/client/outbox";
// Loaded early, so that forms have it when they are offline.
import "./send";

/** Shows what the user wrote and has not been sent yet. */
export function PendingContent({ here }: PendingProps) {
  const { t } = useWords();
  const router = useRouter();
  const entries = useEntries(here);
  const known = useRef(new Map<string, boolean>());
  useEffect(() => {
    const left = new Set(entries.map(({ key }) => key));
    const wasSent = [...known.current].some(([key, isDiscarded]) => !left.has(key) && !isDiscarded);
    known.current = new Map(entries.map(({ key }) => [key, known.current.get(key) ?? false]));
    // The server's list has it now.
    if (wasSent) router.refresh();
  }, [entries, router]);
  const remove = async (key: string) => {
    known.current.set(key, true);
    await discard(key);
  };
  return (
    <section aria-label={t("outbox.title")} aria-live="polite" className="contents">
      {entries.length === 0 ? null : (
        <ul className="grid gap-2">
          {entries.map((entry) => (
            <Waiting key={entry.key} entry={entry} isElsewhere={!here} onDiscard={() => remove(entry.key)} />
          ))}
        </ul>
      )}
    </section>
  );
}

function useEntries(here: PendingProps["here"]): readonly Entry[] {
  const [entries, setEntries] = useState<readonly Entry[]>([]);
  const { kind, place } = here ?? {};
  useEffect(() => {
    let gone = false;
    const read = async () => {
      const userId = reader();
      const all = userId ? await pending(userId) : [];
      const found = all.filter((one) => place === undefined || (one.kind === kind && one.place === place));
      if (!gone) setEntries(found);
    };
    // Without storage the outbox is empty.
    const look = () => void read().catch(() => undefined);
    look();
    const unwatch = watchEntries(look);
    return () => {
      gone = true;
      unwatch();
    };
  }, [kind, place]);
  return entries;
}

interface WaitingProps {
  readonly entry: Entry;
  /** Whether it is shown on another page than the one it was written on, and links there. */
  readonly isElsewhere: boolean;
  readonly onDiscard: () => Promise<void>;
}

function Waiting({ entry, isElsewhere, onDiscard }: WaitingProps) {
  const words = useWords();
  const { t } = words;
  const [busy, setBusy] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const { kind, place, state, code, problem } = entry;
  const send = async () => {
    setBusy(true);
    const ended = await sendNow(entry).catch(() => "offline" as const);
    setBusy(false);
    if (ended !== "done")
      toast({ text: t(ended === "not-theirs" ? "outbox.notTheirs" : "outbox.stillWaiting") });
  };
  const isWaiting = state === "waiting";
  const Icon = isWaiting ? Clock : TriangleAlert;
  return (
    <li className="grid gap-2 rounded-sheet border border-dashed border-line-strong bg-sheet px-4 py-3">
      <p className="flex items-start gap-2 text-sm text-soft">
        <Icon className="mt-0.5 size-4 shrink-0" aria-hidden />
        <span>
          {isWaiting ? t("outbox.waiting") : state === "refused" ? t("outbox.refused") : t("outbox.unsure")}{" "}
          {(code && refusalSentence(words, code)) ?? problem}
        </span>
      </p>
      <p dir="auto" className="max-h-60 overflow-y-auto whitespace-pre-wrap">
        {kind === "post" ? textOf(entry, "title") : textOf(entry, "content")}
      </p>
      <div className="flex flex-wrap items-center gap-2">
        <Button size="sm" busy={busy} onClick={() => void send()}>
          {t("outbox.sendNow")}
        </Button>
        <Button
          size="sm"
          tone={isAsking ? "danger" : "quiet"}
          onBlur={() => setAsking(false)}
          onClick={() => (isAsking ? void onDiscard() : setAsking(true))}
        >
          {t(isAsking ? "outbox.discardSure" : "outbox.discard")}
        </Button>
        {isElsewhere ? (
          <a
            href={kind === "post" ? `/topics/${place}` : `/posts/${place}`}
            className="link tap ms-auto inline-flex items-center text-sm"
          >
            {t(kind === "post" ? "outbox.toTopic" : "outbox.toPost")}
          </a>
        ) : null}
      </div>
    </li>
  );
}

export interface PendingProps {
  /** Limits the list to what was written here. */
  readonly here?: { readonly kind: Kind; readonly place: string };
}
