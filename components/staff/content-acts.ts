/** What may be done with what somebody wrote. */
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
  if (isDeleted) return [];
  const isMine = me !== null && authorId === me;
  // What somebody wrote they may take back wherever they are.
  if (!isMember) return isMine ? ["remove"] : [];
  return [
    ...(isStaff && isPost ? (["pin"] as const) : []),
    ...(isStaff ? (["hide"] as const) : []),
    ...(isStaff || isMine ? (["remove"] as const) : []),
    ...(isMine ? [] : (["report"] as const)),
  ];
}
