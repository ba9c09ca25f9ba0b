"use client";

import { Circle, CircleCheck, Square, SquareCheck } from "lucide-react";
import { useEffect, useId, useRef, useState } from "react";
import { useWords } from "#words";
import { Recount } from "@/components/anonymous/recount";
import { Ballot } from "@/components/anonymous/voices";
import { Button, ButtonLink } from "@/components/ui/button";
import { cx } from "@/components/ui/cx";
import type { Poll as PollData } from "@/lib/contract";
import { exactTime, percentage, timeUntil } from "@/lib/i18n/time";
import { afterPollAction, type PollAction, pollCalls } from "./post-state";
import { useOptimisticAct } from "./use-optimistic-act";

/** Whether the reader may vote, or why not. */
type PollAccess = "open" | "guest" | "outsider" | "muted" | "resting";

export interface PollProps {
  readonly poll: PollData;
  readonly topicId: string;
  readonly access: PollAccess;
}

/** A poll with its results. A press on an option votes, changes the vote or removes it. */
export function Poll({ poll: initial, topicId, access }: PollProps) {
  const words = useWords();
  const { t } = words;
  const { postId } = initial;
  const [voted, act] = useOptimisticAct<PollData, PollAction>({
    initial,
    after: afterPollAction,
    async send({ api, contract }, pressed, confirmed, confirm) {
      const { clear, vote } = pollCalls(confirmed, pressed);
      let now = confirmed;
      if (clear) {
        now = (await api.call(contract.posts.clearPollVote, { postId })).poll;
        confirm(now);
      }
      if (vote.length === 0) return now;
      return (await api.call(contract.posts.votePoll, { postId, optionIds: [...vote] })).poll;
    },
    guest: "post.signInToComment",
    topicId,
  });
  // A secret ballot arrives at its own moment, and the page then brings the numbers.
  const poll = initial.secret ? initial : voted;
  const isClosed = useClosed(poll);
  const mayVote = access === "open" && !isClosed && !poll.secret;
  const id = useId();
  const options = useRef<HTMLUListElement>(null);
  const takeBack = () => {
    act(null);
    // The button disappears with the votes.
    options.current?.querySelector("button")?.focus();
  };
  const own = poll.userVotedOptionIds.length;
  return (
    <section
      aria-labelledby={poll.question ? id : undefined}
      aria-label={poll.question ? undefined : t("post.poll")}
      className="grid gap-3 rounded-sheet border bg-sheet p-4"
    >
      {poll.question ? (
        <h2 id={id} className="font-serif text-lg font-semibold" dir="auto">
          {poll.question}
        </h2>
      ) : null}
      <ul ref={options} className="grid gap-2">
        {poll.options.map((option) => (
          <li key={option.id}>
            <Option
              poll={poll}
              option={option}
              onPress={mayVote ? () => act(option.id) : null}
              showMark={!poll.secret && (access === "open" || own > 0)}
            />
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <p className="flex flex-wrap gap-x-1.5 text-sm text-soft">
          <span>{t("poll.votes", { n: poll.totalVotes })}</span>
          <span aria-hidden="true">·</span>
          <span>{t(poll.multipleChoice ? "poll.several" : "poll.one")}</span>
          <Closing poll={poll} isClosed={isClosed} />
        </p>
        {mayVote && own > 0 ? (
          <Button size="sm" tone="quiet" className="-ms-3 sm:ms-auto sm:-me-3" onClick={takeBack}>
            {t(own > 1 ? "poll.takeBackAll" : "poll.takeBack")}
          </Button>
        ) : null}
      </div>
      {poll.secret ? (
        <>
          <p className="text-sm text-soft">{t("anonymous.ballot.who", { n: poll.secret.crowd })}</p>
          {isClosed || access !== "open" ? null : <Ballot poll={poll} topicId={topicId} />}
          <Recount postId={postId} />
        </>
      ) : null}
      {isClosed ? null : <HowToVote access={access} topicId={topicId} />}
    </section>
  );
}

interface OptionProps {
  readonly poll: PollData;
  readonly option: PollData["options"][number];
  /** Null where the reader may not vote. */
  readonly onPress: (() => void) | null;
  readonly showMark: boolean;
}

function Option({ poll, option, onPress, showMark }: OptionProps) {
  const words = useWords();
  const { t } = words;
  const isOwn = poll.userVotedOptionIds.includes(option.id);
  const percent = percentage(words, option.voteCount, poll.totalVotes);
  const [On, Off] = poll.multipleChoice ? [SquareCheck, Square] : [CircleCheck, Circle];
  const Mark = isOwn ? On : Off;
  const spoken = t("poll.option", { text: option.text, percent, n: option.voteCount });
  const look = (
    <>
      <span className="flex items-start gap-2" aria-hidden="true">
        {showMark ? (
          <Mark className={cx("mt-0.5 size-4 shrink-0", isOwn ? "text-sea" : "text-soft")} />
        ) : null}
        <span className={cx("min-w-0 flex-1", isOwn && "font-medium")} dir="auto">
          {option.text}
        </span>
        <span className="shrink-0 text-soft tabular-nums">{percent}</span>
      </span>
      <meter
        aria-hidden="true"
        min={0}
        max={Math.max(1, poll.totalVotes)}
        value={option.voteCount}
        className={cx("poll-bar h-1.5 w-full", isOwn && "poll-bar-own")}
      />
    </>
  );
  const shape = cx("grid w-full gap-1.5 rounded-control border px-3 py-2 text-start", isOwn && "border-sea");
  if (!onPress) {
    return (
      <div className={shape}>
        <span className="sr-only">{isOwn ? `${spoken}, ${t("poll.own")}` : spoken}</span>
        {look}
      </div>
    );
  }
  return (
    <button
      type="button"
      aria-pressed={isOwn}
      aria-label={spoken}
      onClick={onPress}
      className={cx("ease tap hover:bg-wash", shape)}
    >
      {look}
    </button>
  );
}

/** Returns whether the poll is closed, and updates when it closes. */
function useClosed({ closesAt, isClosed }: PollData): boolean {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    if (!closesAt || isClosed) return;
    const check = () => setOver(Date.parse(closesAt) <= Date.now());
    check();
    const timer = setInterval(check, 10_000);
    return () => clearInterval(timer);
  }, [closesAt, isClosed]);
  return isClosed || isOver;
}

function Closing({ poll: { closesAt }, isClosed }: { readonly poll: PollData; readonly isClosed: boolean }) {
  const words = useWords();
  if (!closesAt) return null;
  const moment = new Date(closesAt);
  return (
    <>
      <span aria-hidden="true">·</span>
      <time dateTime={closesAt} title={exactTime(words, moment)} suppressHydrationWarning>
        {isClosed
          ? words.t("poll.closed")
          : words.t("poll.closes", { when: timeUntil(words, moment, new Date()) })}
      </time>
    </>
  );
}

function HowToVote({ access, topicId }: { readonly access: PollAccess; readonly topicId: string }) {
  const { t } = useWords();
  if (access === "open") return null;
  if (access === "muted" || access === "resting") {
    return <p className="text-sm text-soft">{t(access === "muted" ? "poll.muted" : "poll.resting")}</p>;
  }
  return (
    <ButtonLink href={`/topics/${topicId}/join`} size="sm" className="w-fit">
      {t(access === "guest" ? "poll.signIn" : "poll.join")}
    </ButtonLink>
  );
}
