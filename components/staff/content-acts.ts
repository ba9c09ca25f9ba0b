/** What may be done with what somebody wrote, besides what its author does. */
export type ContentAct = "report" | "pin" | "hide" | "remove";

/** Somebody who reads a post and its comments. */
export interface Reader {
  /** User id; null for a guest. */
  readonly me: string | null;
  readonly isMember: boolean;
  readonly isStaff: boolean;
}

export interface Content {
  readonly authorId: string | null;
  readonly isDeleted: boolean;
  readonly isPost: boolean;
}

/** The acts a reader is offered; the server decides again when one is done. */
export function contentActs(
  { authorId, isDeleted, isPost }: Content,
  { me, isMember, isStaff }: Reader,
): readonly ContentAct[] {
  if (isDeleted || !isMember) return [];
  const isMine = authorId === me;
  return [
    ...(isStaff && isPost ? (["pin"] as const) : []),
    ...(isStaff ? (["hide"] as const) : []),
    // What one wrote oneself is deleted where it is edited.
    ...(isStaff && !isMine ? (["remove"] as const) : []),
    ...(isMine ? [] : (["report"] as const)),
  ];
}
