import { useWords } from "#words";
import { countText } from "./counts";

/**
 * The number of new items beside a topic of the rail, which the server renders. follow.ts writes later numbers into it:
 * a component that listens would be a part of every first load.
 */
export function RailCount({ topicId, count }: { readonly topicId: string; readonly count: number }) {
  const { t } = useWords();
  return (
    <span className="rail-count" hidden={count === 0}>
      <span className="sr-only">{`${t("unread.new")}: `}</span>
      <span data-unread={topicId}>{countText(count)}</span>
    </span>
  );
}
