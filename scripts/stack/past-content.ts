/** What stands in an installation from before its first start. */
export const PAST = {
  nickname: "wilma_k",
  topic: "Letters from the day before yesterday",
  post: "What I would like to have in writing",
  /** A word of the post that stands nowhere else on its page. */
  word: "kitchen",
  /** People who have proven an address at this domain, as the gate of `gates.domain` asks. */
  sealed: { nicknames: ["greta_s", "henk_s"], domain: "yesterday.example" },
  /** Topics with a gate that nobody has proven: their titles. */
  gates: {
    domain: "Among colleagues of the day before yesterday",
    country: "Neighbours of the day before yesterday",
    kyc: "Whoever they were the day before yesterday",
  },
} as const;
