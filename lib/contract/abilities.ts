/** The actions the `abilities` of a view may list. The interface offers these; lib/policy checks every write. */
export const ABILITIES = {
  /** `moderate`: join requests, reports and sanctions. `edit`: the topic itself and its roles. */
  topic: ["join", "write", "moderate", "edit", "delete", "report"],
  /** `write`: comment, vote, react. */
  post: ["write", "record", "bookmark", "report", "edit", "delete", "hide", "pin"],
  comment: ["report", "edit", "delete", "hide"],
  message: ["reply", "react", "edit", "delete", "hide", "report"],
  member: ["promote", "demote", "transfer", "mute", "ban", "remove"],
  sanction: ["lift"],
  /** Of a note of the staff. */
  note: ["delete"],
  /** Of an offer of ownership. */
  offer: ["accept", "cancel"],
  /** Of the author of reported content. */
  author: ["mute", "ban"],
} as const;

export type Ability<K extends keyof typeof ABILITIES> = (typeof ABILITIES)[K][number];
