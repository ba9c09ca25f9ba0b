import { type IDBPDatabase, openDB } from "idb";
import { type Entry, entrySchema } from "./entry";

const STORE = "entries";
const CHANNEL = "parley-outbox";

let opened: Promise<IDBPDatabase> | undefined;

/** Tabs and the service worker share one database. */
function database(): Promise<IDBPDatabase> {
  opened ??= openDB("parley-outbox", 1, {
    upgrade(db) {
      // The number an entry gets when it is written is its place in the queue.
      db.createObjectStore(STORE, { autoIncrement: true });
    },
    // Another tab has a newer app: give way, and open again when needed.
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

/** Entries of a user, in the order in which they were written. Of what is not an entry nothing is returned. */
export async function entriesOf(userId: string): Promise<Entry[]> {
  const all: unknown[] = await (await database()).getAll(STORE);
  return all.flatMap((value) => {
    const found = entrySchema.safeParse(value);
    return found.success && found.data.userId === userId ? [found.data] : [];
  });
}

/** Writes a new entry behind the others. */
export async function append(entry: Entry): Promise<void> {
  await (await database()).add(STORE, entry);
  announce();
}

/** Changes an entry in its place, or takes it out (null); one that is gone stays gone. */
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

/** Forgets everything a user wrote here: they deleted their account. */
export async function forgetEntriesOf(userId: string): Promise<void> {
  for (const { key } of await entriesOf(userId)) await change(key, null);
}

const watchers = new Set<() => void>();
let channel: BroadcastChannel | undefined;

/** Calls back whenever the queue may be different, here or in another tab. @returns stop */
export function watchEntries(watcher: () => void): () => void {
  channel ??= openChannel();
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

function openChannel(): BroadcastChannel {
  const made = new BroadcastChannel(CHANNEL);
  made.onmessage = tellWatchers;
  return made;
}

function announce(): void {
  channel ??= openChannel();
  channel.postMessage(null);
  tellWatchers();
}

function tellWatchers(): void {
  for (const watcher of watchers) watcher();
}
