import type { OpenDatabase } from "@/db/client";
import type { AppHome } from "../../live/app-process";
import { loadSecrets } from "../../stack/secrets";
import { homePaths } from "../../stack/settings";
import { startBare } from "./bare";
import type { BareNext } from "./bare-next";
import type { MeasureName } from "./bodies";
import { recordPrograms } from "./record";
import { type Sample, sample } from "./requests";
import { type Seed, seed } from "./seed";

/** As the app's pool (lib/sql). */
const POOL_SIZE = 10;
/** How much the body of (b) may differ from ours in length. */
const MAX_DIFFERENCE = 0.1;

interface ServerOptions {
  readonly home: AppHome;
  /** Of an empty, migrated database. */
  readonly url: string;
  readonly database: OpenDatabase;
  readonly redisUrl: string;
  readonly posts: number;
  readonly only: readonly MeasureName[];
  readonly next: BareNext;
}

/** The three servers that are compared, on one filled database. */
export interface Servers {
  readonly seed: Seed;
  readonly ports: { readonly ours: number; readonly bare: number; readonly next: number };
  close(): Promise<void>;
}

/**
 * Fills a database and starts the servers.
 * @throws Error when ours and (b) respond to a request with bodies of different lengths
 */
export async function startServers(options: ServerOptions): Promise<Servers> {
  const { home, url, database, redisUrl, posts, only, next } = options;
  const { db } = database;
  const filled = await seed(db, home.tokens, posts);
  const { SESSION_SECRET: secret } = await loadSecrets(homePaths(home.settings.home).secrets);
  const programs = await recordPrograms(filled, only, { db, url, redisUrl, secret });
  const closers: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const one of closers.reverse()) await one();
  };
  try {
    const app = await home.start({ DATABASE_URL: url, CACHE_URL: redisUrl });
    closers.push(() => app.kill("SIGTERM"));
    const bare = await startBare({ url, poolSize: POOL_SIZE, members: [...filled.members], programs });
    closers.push(() => bare.close());
    const samples: Record<string, Sample> = {};
    for (const name of only) {
      const ours = await sample(name, filled, app.port, 0);
      compare(name, ours, await sample(name, filled, bare.port, 2));
      samples[name] = ours;
    }
    const nextApp = await next.start(samples);
    closers.push(() => nextApp.close());
    return { seed: filled, ports: { ours: app.port, bare: bare.port, next: nextApp.port }, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function compare(name: MeasureName, ours: Sample, bare: Sample): void {
  const ratio = bare.text.length / ours.text.length;
  if (Math.abs(ratio - 1) <= MAX_DIFFERENCE) return;
  throw new Error(`(b) answers ${name} with ${ratio.toFixed(2)} of our bytes:\n${ours.text}\n\n${bare.text}`);
}
