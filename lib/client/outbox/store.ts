import { type IDBPDatabase, openDB } from "idb";
import * as z from "zod/mini";

/** Entries written without a network, on this device. Small schemas, since the service worker includes them. */

const kinds = ["comment", "post"] as const;
export type Kind = (typeof kinds)[number];

const entrySchema = z.object({
  /** Idempotency-Key of every request that sends it. */
  key: z.string(),
  /** The only user as whom it may be sent, and to whom it is shown. */
  userId: z.string(),
  kind: z.enum(kinds),
  /** Id of the post to comment on, or of the topic to post in. */
  place: z.uuid(),
  body: z.record(z.string(), z.unknown()),
  /** Unix time in milliseconds. */
  createdAt: z.number(),
  /** When it was first sent without a response; null if no request is without one. */
  triedAt: z.nullable(z.number()),
  state: z.enum([
    "waiting",
    /** The server refused it; stays until its writer decides. */
    "refused",
    /** Sent so long ago that the server may have forgotten its key: it could arrive twice. */
    "unsure",
  ]),
  code: z.nullable(z.string()),
  problem: z.nullable(z.string()),
});
export type Entry = z.infer<typeof entrySchema>;

export interface Written extends Readonly<Pick<Entry, "userId" | "kind" | "place" | "body">> {
  /** The key of a request that got no response; null when it was never sent. */
  readonly triedKey: string | null;
}

/** Returns the path an entry is sent to. */
export function pathOf({ kind, place }: Pick<Entry, "kind" | "place">): string {
  return kind === "comment" ? `/api/posts/${place}/comments` : `/api/topics/${place}/posts`;
}

/** Returns a text of an entry's body, such as its title; empty if it has none. */
export function textOf({ body }: Pick<Entry, "body">, name: string): string {
  const found = body[name];
  return typeof found === "string" ? found : "";
}

const STORE = "entries";
const CHANNEL = "parley-outbox";

let opened: Promise<IDBPDatabase> | undefined;

/** Tabs and the service worker share one database. */
function database(): Promise<IDBPDatabase> {
  opened ??= openDB("parley-outbox", 1, {
    upgrade(db) {
      // An entry's auto-incremented key is its place in the queue.
      db.createObjectStore(STORE, { autoIncrement: true });
    },
    // Another tab has a newer app: close, and reopen when needed.
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

/** Returns a user's entries in the order they were written; ignores anything that is not an entry. */
export async function entriesOf(userId: string): Promise<Entry[]> {
  const all: unknown[] = await (await database()).getAll(STORE);
  return all.flatMap((value) => {
    const found = entrySchema.safeParse(value);
    return found.success && found.data.userId === userId ? [found.data] : [];
  });
}

/** Appends a new entry. */
export async function append(entry: Entry): Promise<void> {
  await (await database()).add(STORE, entry);
  announce();
}

/** Changes an entry in place, or deletes it (null); a deleted one stays deleted. */
export async function change(key: string, patch: Partial<Entry> | null): Promise<void> {
  const transaction = (await database()).transaction(STORE, "readwrite");
  for await (const cursor of transaction.store) {
    const found = entrySchema.safeParse(cursor.value);
    if (!found.success || found.data.key !== key) continue;
    await (patch ? cursor.update({ ...found.data, ...patch }) : cursor.delete());
  }
  await transaction.done;
  announce();
}

/** Deletes all entries of a user who deleted their account. */
export async function forgetEntriesOf(userId: string): Promise<void> {
  for (const { key } of await entriesOf(userId)) await change(key, null);
}

const watchers = new Set<() => void>();
let channel: BroadcastChannel | undefined;

/** Calls back whenever the queue may have changed, here or in another tab. @returns stop */
export function watchEntries(watcher: () => void): () => void {
  channel ??= openChannel();
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

function openChannel(): BroadcastChannel {
  const made = new BroadcastChannel(CHANNEL);
  made.onmessage = notifyWatchers;
  return made;
}

function announce(): void {
  channel ??= openChannel();
  channel.postMessage(null);
  notifyWatchers();
}

function notifyWatchers(): void {
  for (const watcher of watchers) watcher();
}
