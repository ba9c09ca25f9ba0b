import { useWords } from "#words";
import type { Poll as PollData } from "@/lib/contract";
import { exactCount } from "@/lib/i18n/time";

/** A poll's question and results. */
export function Poll({ poll }: { readonly poll: PollData }) {
  const words = useWords();
  return (
    <section aria-label={poll.question ?? undefined} className="grid gap-3 rounded-sheet border bg-sheet p-4">
      {poll.question ? (
        <h2 className="font-medium" dir="auto">
          {poll.question}
        </h2>
      ) : null}
      <ul className="grid gap-2">
        {poll.options.map((option) => (
          <li key={option.id} className="grid gap-1">
            <span className="flex justify-between gap-4 text-sm">
              <span dir="auto">{option.text}</span>
              <span className="text-soft tabular-nums">{exactCount(words, option.voteCount)}</span>
            </span>
            <meter
              aria-hidden="true"
              min={0}
              max={Math.max(1, poll.totalVotes)}
              value={option.voteCount}
              className="poll-bar h-1.5 w-full"
            />
          </li>
        ))}
      </ul>
      <p className="text-sm text-soft">
        {words.t("post.pollVotes", { n: poll.totalVotes })}
        {poll.isClosed ? `, ${words.t("post.pollClosed")}` : ""}
      </p>
    </section>
  );
}
