/**
 * What the caller may do with a thing, as the `abilities` of its view list it. The interface offers these and nothing
 * else; every write asks the same rules (lib/policy) again.
 */
export const ABILITIES = {
  /** `moderate`: requests, reports, sanctions. `edit`: the topic itself and the roles in it. */
  topic: ["join", "write", "moderate", "edit", "delete"],
  /** `write`: comment, vote, react. */
  post: ["write", "record", "bookmark", "report", "edit", "delete", "hide", "pin"],
  comment: ["report", "edit", "delete", "hide"],
  member: ["promote", "demote", "transfer", "mute", "ban", "remove"],
  sanction: ["lift"],
  /** Of somebody who wrote what was reported. */
  author: ["mute", "ban"],
} as const;

/** One ability of a kind of view. */
export type Ability<K extends keyof typeof ABILITIES> = (typeof ABILITIES)[K][number];
