import { openDatabase } from "@/db/client";
import { homePaths } from "../stack/settings";
import { type Measure, measures } from "./api/measures";
import { headersOf, requestsOf } from "./api/requests";
import { seed } from "./api/seed";
import { LoadGenerator, type LoadRequest } from "./load";
import type { About } from "./report";
import type { Row } from "./row";
import { builtHome, type Closers } from "./stage";

interface EmbeddedOptions {
  /** Of one load. */
  readonly seconds?: number;
}

const SECONDS = 10;
const POSTS = 1_000;
const CONNECTIONS = 16;
const WARM_UP_SECONDS = 2;
const LEAST_LISTS = 300;
const LEAST_GUEST_HOME = 1_500;

/** Measures the app as it runs by default: its database and cache are in its own process. */
export async function* benchEmbedded(
  { seconds = SECONDS }: EmbeddedOptions,
  about: About,
): AsyncGenerator<Row[]> {
  const closers: Closers = [];
  try {
    const home = await builtHome(closers);
    const { appDatabase } = homePaths(home.settings.home);
    const database = await openDatabase({ url: `pglite:${appDatabase}` });
    const filled = await seed(database.db, home.tokens, POSTS);
    await database.close();
    const app = await home.start();
    closers.push(() => app.kill("SIGTERM"));
    const generator = new LoadGenerator();
    closers.push(async () => generator.close());
    about.notes.push(
      `The default installation: database and cache are embedded in the process of the app. ${POSTS.toLocaleString("en")} posts, ${CONNECTIONS} connections, ${seconds} seconds each.`,
    );
    const measure = async (
      title: string,
      requests: readonly LoadRequest[],
      least: number,
    ): Promise<Row[]> => {
      const load = { port: app.port, requests, headers: headersOf(filled), status: 200, once: false };
      await generator.run({ ...load, connections: CONNECTIONS, seconds: WARM_UP_SECONDS });
      const { rate } = await generator.run({ ...load, connections: CONNECTIONS, seconds });
      return [{ name: `embedded: ${title}`, value: rate, unit: "/s", limit: { least } }];
    };
    for (const name of ["list", "topics", "feed"] as const) {
      const { title }: Measure = measures[name];
      yield await measure(title, requestsOf(name, filled), LEAST_LISTS);
    }
    yield await measure("guest home", [{ method: "GET", path: "/" }], LEAST_GUEST_HOME);
  } finally {
    for (const close of closers.reverse()) await close();
  }
}
