import { Clock, TriangleAlert } from "lucide-react";
import { useRouter } from "next/navigation";
import { useEffect, useRef, useState } from "react";
import { useWords } from "#words";
import { refusalSentence } from "@/components/api";
import { reader } from "@/components/offline/state";
import { Button } from "@/components/ui/button";
import { discardAct, hurryAct, type OwnCode, ownCodes, waitingActs } from "@/lib/client/anonymous/entries";
import { type AnonymousEntry, watchAnonymous } from "@/lib/client/anonymous/store";
import { LIMITS } from "@/lib/contract/limits";
import { exactTime } from "@/lib/i18n/time";
import { beginAnonymous } from "./life";
import { parts } from "./parts";

interface WaitingProps {
  readonly topicId: string;
  /** Comments on it; without one, posts of the topic. */
  readonly postId?: string;
}

/** What waits on this device to be said without a name, or was refused. */
export function Waiting({ topicId, postId }: WaitingProps) {
  const { t } = useWords();
  const router = useRouter();
  const [entries, setEntries] = useState<readonly AnonymousEntry[]>([]);
  const count = useRef(0);
  useEffect(() => {
    let gone = false;
    const look = () => {
      const userId = reader();
      const read = userId ? waitingActs(userId).catch(() => []) : Promise.resolve([]);
      void read.then((all) => {
        const here = all.filter(({ act }) =>
          postId
            ? act.kind !== "post" && act.postId === postId
            : act.kind === "post" && act.topicId === topicId,
        );
        if (!gone) setEntries(here);
      });
    };
    look();
    const unwatch = watchAnonymous(look);
    return () => {
      gone = true;
      unwatch();
    };
  }, [topicId, postId]);
  useEffect(() => {
    // The server's list has it now.
    if (entries.length < count.current) router.refresh();
    count.current = entries.length;
  }, [entries, router]);
  return (
    <section aria-label={t("anonymous.waiting.title")} aria-live="polite" className="contents">
      {entries.length === 0 ? null : (
        <ul className="grid gap-2">
          {entries.map((entry) => (
            <Entry key={entry.id} entry={entry} />
          ))}
        </ul>
      )}
    </section>
  );
}

function Entry({ entry }: { readonly entry: AnonymousEntry }) {
  const words = useWords();
  const { t } = words;
  const [isAsking, setAsking] = useState(false);
  const { act, state, dueAt, isNow } = entry;
  const isRefused = state === "refused";
  const Icon = isRefused ? TriangleAlert : Clock;
  const hurry = async () => {
    await hurryAct(entry, parts);
    beginAnonymous(entry.userId);
  };
  return (
    <li className="grid gap-2 rounded-sheet border border-dashed border-line-strong bg-sheet px-4 py-3">
      <p className="flex items-start gap-2 text-sm text-soft">
        <Icon className="mt-0.5 size-4 shrink-0" aria-hidden />
        <span>
          {isRefused
            ? `${t("outbox.refused")} ${reasonOf(words, entry)}`
            : isNow
              ? t("anonymous.waiting.sending")
              : t("anonymous.waiting.due", { when: exactTime(words, new Date(dueAt)) })}
        </span>
      </p>
      <p dir="auto" className="max-h-60 overflow-y-auto whitespace-pre-wrap">
        {shownOf(words, act)}
      </p>
      <div className="flex flex-wrap items-center gap-2">
        {isRefused || !isNow ? (
          <Button size="sm" onClick={() => void hurry()}>
            {t("anonymous.waiting.sendNow")}
          </Button>
        ) : null}
        <Button
          size="sm"
          tone={isAsking ? "danger" : "quiet"}
          onBlur={() => setAsking(false)}
          onClick={() => (isAsking ? void discardAct(entry) : setAsking(true))}
        >
          {t(isAsking ? "anonymous.waiting.discardSure" : "anonymous.waiting.discard")}
        </Button>
      </div>
    </li>
  );
}

function shownOf({ t }: ReturnType<typeof useWords>, act: AnonymousEntry["act"]): string {
  switch (act.kind) {
    case "post":
      return act.title;
    case "comment":
      return act.content;
    case "ballot":
      return act.choice;
    case "deletion":
      return t("anonymous.own.deletes", { text: act.text });
  }
}

function isOwn(code: string | null): code is OwnCode {
  return ownCodes.some((one) => one === code);
}

function reasonOf(words: ReturnType<typeof useWords>, { code, problem }: AnonymousEntry): string {
  const { perDay, picturesPerDay } = LIMITS.anonymous;
  const n = code === "no_picture_slots" ? picturesPerDay : perDay;
  if (isOwn(code)) return words.t(`anonymous.problems.${code}`, { n });
  return (code && refusalSentence(words, code)) ?? problem ?? "";
}
