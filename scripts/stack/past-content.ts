/** What stands in an installation from before its first start. */
export const PAST = {
  nickname: "wilma_k",
  topic: "Letters from the day before yesterday",
  post: "What I would like to have in writing",
  /** A word of the post that stands nowhere else on its page. */
  word: "kitchen",
} as const;
