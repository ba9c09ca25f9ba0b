/** The content that `writePast` creates before an installation's first start. */
export const PAST = {
  nickname: "wilma_k",
  topic: "Letters from the day before yesterday",
  post: "What I would like to have in writing",
  /** A word of the post that appears nowhere else on its page. */
  word: "kitchen",
  /** A topic with a crowd of two, one of whom wrote a letter. */
  letters: { topic: "Under the rose of the day before yesterday", title: "What nobody says aloud" },
  /** Members with a proof of an address at this domain, which the gate of `gates.domain` requires. */
  sealed: { nicknames: ["greta_s", "henk_s"], domain: "yesterday.example" },
  /** Titles of topics whose gate nobody has proven. */
  gates: {
    domain: "Among colleagues of the day before yesterday",
    country: "Neighbours of the day before yesterday",
    kyc: "Whoever they were the day before yesterday",
  },
} as const;
