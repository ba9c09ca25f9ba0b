import { type IDBPDatabase, openDB } from "idb";
import * as z from "zod/mini";

/** What this device knows of its readers' anonymous selves. Nothing of it is ever sent. */

const secretSchema = z.object({
  /** AES-GCM; no script can read its bytes. */
  key: z.instanceof(CryptoKey),
  iv: z.instanceof(Uint8Array),
  sealed: z.instanceof(ArrayBuffer),
  /** Whether its owner has seen the words that bring it back. */
  isSaved: z.boolean(),
  /** Whether a passkey brings it back. */
  isPasskey: z._default(z.boolean(), false),
});
export type SealedSecret = z.infer<typeof secretSchema>;

const crowdSchema = z.object({
  termsKey: z.nullable(z.string()),
  root: z.object({ number: z.int(), root: z.string(), size: z.int() }),
  leaves: z.instanceof(Uint8Array),
});
export type KnownCrowd = z.infer<typeof crowdSchema>;

const uuid = z.uuid();
const pictureSchema = z.object({
  /** Without metadata. */
  bytes: z.instanceof(Uint8Array),
  type: z.string(),
  alt: z.string(),
  /** Once it was uploaded: as the text names it. */
  src: z.nullable(z.string()),
});
export type WaitingPicture = z.infer<typeof pictureSchema>;

const actSchema = z.discriminatedUnion("kind", [
  z.object({
    ...{ kind: z.literal("post"), topicId: uuid, postId: uuid },
    ...{ title: z.string(), content: z.string(), tags: z.array(z.string()) },
    /** They stand below the text. */
    pictures: z.array(pictureSchema),
  }),
  z.object({
    ...{ kind: z.literal("comment"), topicId: uuid, postId: uuid },
    ...{ parentId: z.nullable(uuid), content: z.string() },
  }),
  z.object({
    ...{ kind: z.literal("ballot"), topicId: uuid, postId: uuid, pollId: uuid },
    /** Number of the root whose crowd votes. */
    root: z.int(),
    /** In the order of the poll, and what they say. */
    ...{ optionIds: z.array(uuid), choice: z.string() },
  }),
  z.object({
    ...{ kind: z.literal("deletion"), topicId: uuid, postId: uuid, commentId: z.nullable(uuid) },
    /** The beginning of the text, or its title. */
    text: z.string(),
  }),
]);
export type WaitingAct = z.infer<typeof actSchema>;
/** What waits to be said, to be voted, and to be deleted. */
export type WaitingText = Extract<WaitingAct, { readonly kind: "post" | "comment" }>;
export type WaitingBallot = Extract<WaitingAct, { readonly kind: "ballot" }>;
export type WaitingDeletion = Extract<WaitingAct, { readonly kind: "deletion" }>;

const ballotSchema = z.object({ optionIds: z.array(uuid), choice: z.string(), counter: z.int() });
export type CastBallot = z.infer<typeof ballotSchema>;

const threadSchema = z.object({
  topicId: uuid,
  postId: uuid,
  /** How many comments it had when its reader last looked; null before that. */
  seen: z.nullable(z.int()),
});
export type OwnThread = z.infer<typeof threadSchema>;

const entrySchema = z.object({
  id: uuid,
  /** In whose crowd it is said; shown to nobody else. */
  userId: z.string(),
  act: actSchema,
  /** Unix time in milliseconds: a random moment, which says nothing of when it was written. */
  dueAt: z.number(),
  /** Whether its author did not want to wait for such a moment. */
  isNow: z.boolean(),
  /** The slot it was sent with, without an answer so far: sent again with it, it is said once. */
  tried: z.nullable(z.object({ epoch: z.int(), slot: z.int() })),
  state: z.enum(["waiting", "refused"]),
  code: z.nullable(z.string()),
  problem: z.nullable(z.string()),
});
export type AnonymousEntry = z.infer<typeof entrySchema>;

interface Stored {
  readonly secrets: SealedSecret;
  readonly crowds: KnownCrowd;
  /** The next slot of an epoch. */
  readonly slots: number;
  readonly entries: AnonymousEntry;
  /** Threads in which something was said from here, by post. */
  readonly threads: OwnThread;
  /** The last ballot in a poll. */
  readonly ballots: CastBallot;
}
type Store = keyof Stored;
const schemas: { readonly [S in Store]: z.ZodMiniType<Stored[S]> } = {
  secrets: secretSchema,
  crowds: crowdSchema,
  slots: z.int(),
  entries: entrySchema,
  threads: threadSchema,
  ballots: ballotSchema,
};
const stores = [
  "secrets",
  "crowds",
  "slots",
  "entries",
  "threads",
  "ballots",
] as const satisfies readonly Store[];

const CHANNEL = "parley-anonymous";

let opened: Promise<IDBPDatabase> | undefined;

function database(): Promise<IDBPDatabase> {
  opened ??= openDB("parley-anonymous", 2, {
    upgrade(db) {
      // Every key begins with the user's id.
      for (const store of stores) if (!db.objectStoreNames.contains(store)) db.createObjectStore(store);
    },
    blocking: () => void closeDatabase(),
    terminated: () => {
      opened = undefined;
    },
  });
  opened.catch(() => {
    opened = undefined;
  });
  return opened;
}

async function closeDatabase(): Promise<void> {
  const closing = opened;
  opened = undefined;
  (await closing)?.close();
}

/** Returns what a key is in the database: keys of two users never meet. */
const keyOf = (userId: string, parts: readonly string[]) => [userId, ...parts];

/** Returns a value; null where there is none, or another version's. */
export async function read<S extends Store>(
  store: S,
  userId: string,
  ...parts: readonly string[]
): Promise<Stored[S] | null> {
  const value: unknown = await (await database()).get(store, keyOf(userId, parts));
  const found = schemas[store].safeParse(value);
  return found.success ? found.data : null;
}

/** Returns all values of a user. */
export async function readAll<S extends Store>(store: S, userId: string): Promise<Stored[S][]> {
  const values: unknown[] = await (await database()).getAll(store, rangeOf(userId));
  return values.flatMap((value) => {
    const found = schemas[store].safeParse(value);
    return found.success ? [found.data] : [];
  });
}

/** Writes a value, or deletes it (null). */
export async function write<S extends Store>(
  store: S,
  value: Stored[S] | null,
  userId: string,
  ...parts: readonly string[]
): Promise<void> {
  const db = await database();
  const key = keyOf(userId, parts);
  await (value === null ? db.delete(store, key) : db.put(store, value, key));
  announce();
}

/** Deletes everything of a user. */
export async function forgetUser(userId: string): Promise<void> {
  const transaction = (await database()).transaction([...stores], "readwrite");
  await Promise.all(stores.map((store) => transaction.objectStore(store).delete(rangeOf(userId))));
  await transaction.done;
  announce();
}

/** Every key of a user: arrays that begin with the id sort between these two. */
function rangeOf(userId: string): IDBKeyRange {
  return IDBKeyRange.bound([userId], [userId, []]);
}

const watchers = new Set<() => void>();
let channel: BroadcastChannel | undefined;

/** Calls back whenever something may have changed, here or in another tab. @returns stop */
export function watchAnonymous(watcher: () => void): () => void {
  openChannel();
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

function openChannel(): BroadcastChannel {
  if (!channel) {
    channel = new BroadcastChannel(CHANNEL);
    channel.onmessage = notify;
  }
  return channel;
}

function announce(): void {
  openChannel().postMessage(null);
  notify();
}

function notify(): void {
  for (const watcher of watchers) watcher();
}
