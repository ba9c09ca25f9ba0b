import { spawnSync } from "node:child_process";
import { rm } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { openDatabase } from "@/db/client";
import { type AppProcess, appHome } from "../live/app-process";
import { Listener, marked } from "../live/listener";
import { type Crowd, makeCrowd } from "../live/people";
import { Children } from "../stack/children";
import { ensureNextBuild } from "../stack/next-build";
import { homePaths } from "../stack/settings";
import type { About } from "./report";
import { quantile, type Row } from "./row";

/** Files that a process needs besides its connections. */
const OTHER_FILES = 500;
const MOST_SUBSCRIBERS = 20_000;

const SECONDS = 20;

/** `cuts` is the number of connections dropped at random times during the load. */
const LOADS = [
  { subscribers: MOST_SUBSCRIBERS, rate: 5, cuts: 0, maxP99Ms: 500, maxKibEach: 10 },
  { subscribers: 5_000, rate: 5, cuts: 0, maxP99Ms: 250, maxKibEach: 15 },
  { subscribers: 1_000, rate: 20, cuts: 0, maxP99Ms: 250, maxKibEach: 15 },
  { subscribers: 1_000, rate: 20, cuts: 1_000, maxP99Ms: 250, maxKibEach: 15 },
];
type ChatLoad = (typeof LOADS)[number] & { readonly seconds: number };

/** Returns how many files this process, and those it starts, may open. */
function openFiles(): number {
  const { stdout } = spawnSync("sh", ["-c", "ulimit -n"], { encoding: "utf8" });
  const limit = Number(stdout);
  return Number.isInteger(limit) ? limit : Number.POSITIVE_INFINITY;
}

interface ChatOptions {
  /** The most subscribers of a load. */
  readonly subscribers?: number;
  /** Of each load. */
  readonly seconds?: number;
}

/**
 * Measures the chat of one process of the built app with its embedded database and cache. The subscribers are in this
 * process. Each load starts a new process of the app. Latency is the time from when a message is due until it arrives.
 */
export async function* benchChat(options: ChatOptions, about: About): AsyncGenerator<Row[]> {
  const possible = Math.min(openFiles() - OTHER_FILES, options.subscribers ?? MOST_SUBSCRIBERS);
  const loads = LOADS.map(({ subscribers, cuts, ...load }) => ({
    ...load,
    subscribers: Math.min(subscribers, possible),
    // A connection is dropped once: another drop could meet its reconnect.
    cuts: Math.min(cuts, possible),
    seconds: options.seconds ?? SECONDS,
  }));
  const most = Math.max(...loads.map(({ subscribers }) => subscribers));
  about.notes.push(
    `The default installation, with one process of the app. The subscribers and the sender are one other process on the same cores; a load takes ${loads[0]?.seconds} seconds.`,
    `A process of this machine may open ${openFiles()} files, and each connection is one.`,
  );
  const home = await appHome();
  const paths = homePaths(home.settings.home);
  const children = new Children(paths.logs, () => {});
  await ensureNextBuild(children);
  try {
    const database = await openDatabase({ url: `pglite:${paths.appDatabase}` });
    const crowd = await makeCrowd(database.db, home.tokens, most);
    await database.close();
    for (const load of loads) {
      const app = await home.start();
      try {
        yield await measure(app, crowd, load);
      } finally {
        await app.kill("SIGTERM");
      }
    }
  } finally {
    await children.stop();
    await rm(home.settings.home, { recursive: true, force: true });
  }
}

async function measure(app: AppProcess, { topicId, tokens }: Crowd, load: ChatLoad): Promise<Row[]> {
  const { subscribers, rate, seconds, cuts } = load;
  const chat = `/api/topics/${topicId}/chat`;
  const [sender = ""] = tokens;
  await warmUp(app, chat, tokens);
  const before = await app.heldBytes();
  const listeners = tokens
    .slice(0, subscribers)
    .map((token) => new Listener(app.port, `${chat}/subscribe`, token));
  for (let from = 0; from < subscribers; from += 100) {
    await Promise.all(listeners.slice(from, from + 100).map((listener) => listener.connect()));
  }
  await sleep(3_000);
  const connected = await app.heldBytes();
  const cpu = app.cpuMs();
  const started = performance.now();
  let sending = Promise.resolve();
  const cutting = cutSome(listeners, cuts, seconds * 1000);
  for (let n = 0; n < rate * seconds; n += 1) {
    await sleep(started + (n * 1000) / rate - performance.now());
    const due = performance.timeOrigin + performance.now();
    // One at a time, so that the server numbers messages in our order; late ones count as late.
    sending = sending.then(() => say(app, chat, sender, marked(n, due)));
  }
  await Promise.all([cutting, sending]);
  await settled(listeners, rate * seconds);
  const used = app.cpuMs() - cpu;
  const took = performance.now() - started;
  const latencies = Float64Array.from(listeners.flatMap((listener) => listener.latencies)).sort();
  const wrong = listeners.filter(({ next, faults }) => faults.length > 0 || next !== rate * seconds).length;
  const after = await app.heldBytes();
  for (const listener of listeners) listener.cut();
  const name = `${subscribers.toLocaleString("en")} subscribers, ${rate} messages/s${cuts ? `, ${cuts} reconnects` : ""}`;
  const rows: Row[] = [
    {
      name: `${name}: subscribers with a message lost or twice`,
      value: wrong,
      unit: "count",
      limit: { most: 0 },
    },
    { name: `${name}: cores in use`, value: used / took, unit: "ratio" },
  ];
  // With reconnects, latency includes the time a client was away.
  if (cuts > 0) return rows;
  const each = (Math.max(connected, after) - before) / 1024 / subscribers;
  return [
    {
      name: `${name}: delivery, p99`,
      value: quantile(latencies, 0.99),
      unit: "ms",
      limit: { most: load.maxP99Ms },
    },
    { name: `${name}: memory held each, all in`, value: each, unit: "KiB", limit: { most: load.maxKibEach } },
    ...rows,
  ];
}

/** Compiles code and fills caches before memory is measured. */
async function warmUp(app: AppProcess, chat: string, tokens: readonly string[]): Promise<void> {
  const [sender = ""] = tokens;
  for (let round = 0; round < 3; round += 1) {
    const some = tokens.slice(0, 200).map((token) => new Listener(app.port, `${chat}/subscribe`, token));
    await Promise.all(some.map((listener) => listener.connect()));
    for (let n = 0; n < 20; n += 1) await say(app, chat, sender, "warm");
    for (const listener of some) listener.cut();
    await sleep(1_000);
  }
  // Waits until the subscribers no longer count as present.
  await sleep(6_000);
}

async function say(app: AppProcess, chat: string, token: string, message: string): Promise<void> {
  const response = await fetch(`${app.url}${chat}`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ message }),
  });
  if (response.status !== 201) throw new Error(`a message got status ${response.status}`);
  await response.arrayBuffer();
}

/** Drops connections at random times. Each listener reconnects within a second. */
async function cutSome(listeners: readonly Listener[], cuts: number, ms: number): Promise<void> {
  await Promise.all(
    Array.from({ length: cuts }, async (_, i) => {
      const listener = listeners[i % listeners.length];
      await sleep(Math.random() * (ms - 2_000));
      // A listener that has received nothing has no position to resume from.
      if (!listener?.lastEventId) return;
      listener.cut();
      await sleep(Math.random() * 1_000);
      await listener.connect();
    }),
  );
}

async function settled(listeners: readonly Listener[], messages: number): Promise<void> {
  const until = performance.now() + 15_000;
  while (performance.now() < until && listeners.some(({ next }) => next < messages)) await sleep(100);
}
