import { useWords } from "#words";
import { exactTime } from "@/lib/i18n/time";
import { useStanding } from "./use-standing";

/** Whether the reader can write without a name in a topic now. */
export interface Voice {
  /** False until it is known, and where they are not in its crowd on this device. */
  readonly isOffered: boolean;
  /** Who will have written it; or why it cannot be written yet. */
  readonly says: string;
  readonly isReady: boolean;
}

/** Returns how the reader's anonymous self stands in a topic. */
export function useVoice(topicId: string): Voice {
  const words = useWords();
  const standing = useStanding(topicId);
  if (!standing || standing.own === "none" || standing.own === "elsewhere")
    return { isOffered: false, says: "", isReady: false };
  const { latest, own, nextAt, minimum } = standing.crowd;
  const has = latest?.size ?? 0;
  if (standing.own === "waiting") {
    const from = Math.max(Date.parse(own?.countsFrom ?? nextAt), Date.parse(nextAt));
    const when = exactTime(words, new Date(from));
    return { isOffered: true, says: words.t("anonymous.notYet", { when }), isReady: false };
  }
  const isReady = has >= minimum;
  const says = isReady
    ? words.t("anonymous.audience", { n: has })
    : words.t("anonymous.tooFew", { n: minimum, has });
  return { isOffered: true, says, isReady };
}
