/** Scripts that write words without spaces between them, or append endings to them. */
const JOINED_SCRIPT =
  /[\p{Script=Hangul}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/**
 * Returns whether a text contains one of the words that wait for review. Words match whole; those of scripts that join
 * words match anywhere.
 * @param text normalized
 * @param words normalized; empty ones match nothing
 */
export function waitsForReview(text: string, words: readonly string[]): boolean {
  const padded = ` ${text} `;
  return words.some(
    (word) => word !== "" && (JOINED_SCRIPT.test(word) ? text.includes(word) : padded.includes(` ${word} `)),
  );
}

/** What a topic asks of members who write in it. Its staff are exempt. */
export interface TopicRules {
  readonly slow_mode_seconds: number | null;
  readonly links_after_posts: number;
  readonly review_words: readonly string[];
}
