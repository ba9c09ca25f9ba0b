import * as z from "zod/mini";

/** What was written without a network and waits on this device. Small schemas: the service worker carries them too. */

const kinds = ["comment", "post"] as const;
export type Kind = (typeof kinds)[number];

export const entrySchema = z.object({
  /** Idempotency-Key of every attempt to send it. */
  key: z.string(),
  /** Only as this user it may be sent, and only to them it is shown. */
  userId: z.string(),
  kind: z.enum(kinds),
  /** Id of the post that is commented on, or of the topic that is written in. */
  place: z.uuid(),
  /** Body of the request, as the operation takes it. */
  body: z.record(z.string(), z.unknown()),
  /** Unix time in milliseconds. */
  createdAt: z.number(),
  /** When it was first sent without an answer; null while no attempt is known to be without one. */
  triedAt: z.nullable(z.number()),
  state: z.enum([
    /** Goes out by itself. */
    "waiting",
    /** The server said no; stays until its writer decides. */
    "refused",
    /** Sent so long ago that the server may not recognise it any more: it could arrive twice. */
    "unsure",
  ]),
  /** Why it was refused: the refusal's code, and the sentence of the server. */
  code: z.nullable(z.string()),
  problem: z.nullable(z.string()),
});
export type Entry = z.infer<typeof entrySchema>;

/** What a form hands over. */
export interface Written {
  readonly userId: string;
  readonly kind: Kind;
  readonly place: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** The key of an attempt that got no answer, if there was one; null when it was never sent. */
  readonly triedKey: string | null;
}

/** Where an entry is sent to. */
export function pathOf({ kind, place }: Pick<Entry, "kind" | "place">): string {
  return kind === "comment" ? `/api/posts/${place}/comments` : `/api/topics/${place}/posts`;
}

/** A text of an entry's body, such as its title; empty when it has none. */
export function textOf({ body }: Pick<Entry, "body">, name: string): string {
  const found = body[name];
  return typeof found === "string" ? found : "";
}
