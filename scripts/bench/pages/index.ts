import http, { type IncomingMessage } from "node:http";
import { openDatabase } from "@/db/client";
import { sessionCookieName } from "@/lib/session/cookie";
import type { AppProcess } from "../../live/app-process";
import { ensureBrowser } from "../../stack/checks/browser";
import { membersOf, type Seed, seed } from "../api/seed";
import { LoadGenerator } from "../load";
import { postgresVersion } from "../machine";
import type { About } from "../report";
import type { Row } from "../row";
import { builtHome, type Closers, startBackEnds } from "../stage";
import { changeRows } from "./changes";
import { firstPaintRows, slowPhoneNote, type Visited } from "./slow-phone";

interface PagesOptions {
  /** Of one load. */
  readonly seconds?: number;
}

const SECONDS = 10;
const POSTS = 1_000;
const CONNECTIONS = 16;
const WARM_UP_SECONDS = 2;
/** What browsers accept. */
const ENCODINGS = "gzip, deflate, br, zstd";
const GUEST_LIMITS = { rate: { least: 1_500 }, p99: { most: 50 } } as const;
const MEMBER_HOME_LIMITS = { rate: { least: 120 }, p99: { most: 250 }, raw: { most: 120 } } as const;

interface Page {
  readonly name: string;
  readonly path: string;
  /** Members who ask for it in turn; none for guests. */
  readonly tokens: readonly string[];
  readonly limits: { readonly rate?: Row["limit"]; readonly p99?: Row["limit"]; readonly raw?: Row["limit"] };
}

/** Measures pages of the built app on PostgreSQL and Redis: one process, and a second one that writes. */
export async function* benchPages({ seconds = SECONDS }: PagesOptions, about: About): AsyncGenerator<Row[]> {
  const closers: Closers = [];
  try {
    const home = await builtHome(closers);
    await ensureBrowser();
    const { postgres, redis } = await startBackEnds(closers, about);
    const url = await postgres.createDatabase("bench_pages");
    const database = await openDatabase({ url });
    const filled = await seed(database.db, home.tokens, POSTS);
    about.software.push(await postgresVersion(database.db));
    about.notes.push(...notes(seconds), slowPhoneNote);
    await database.close();
    const env = { DATABASE_URL: url, CACHE_URL: redis.url };
    const app = await home.start(env);
    closers.push(() => app.kill("SIGTERM"));
    const generator = new LoadGenerator();
    closers.push(async () => generator.close());
    const pages = pagesOf(filled);
    for (const page of pages) yield await loadRows(page, { app, generator, seconds });
    yield await firstPaintRows(pages.map((page) => visitOf(app, page)));
    const other = await home.start(env);
    closers.push(() => other.kill("SIGTERM"));
    yield await changeRows(filled, other, app);
  } finally {
    for (const close of closers.reverse()) await close();
  }
}

function notes(seconds: number): string[] {
  return [
    `One process of the app on PostgreSQL and Redis, ${POSTS.toLocaleString("en")} posts, page limits off, ${CONNECTIONS} connections for ${seconds} seconds, clients on the same cores. Guests' pages are served from memory; members' are rendered for each request, for 20 members in turn.`,
    "`raw` is the HTML of a page without compression; `sent` is what a browser that accepts Brotli receives.",
  ];
}

function pagesOf({ members, topics, posts }: Seed): Page[] {
  const tokens = membersOf(1).flatMap((member) => members[member]?.token ?? []);
  const post = posts.find(({ topic }) => topic === 1)?.id;
  const paths = { home: "/", topic: `/topics/${topics[1]}`, post: `/posts/${post}` };
  return Object.entries(paths).flatMap(([name, path]) => [
    { name: `guest, ${name}`, path, tokens: [], limits: GUEST_LIMITS },
    { name: `signed in, ${name}`, path, tokens, limits: name === "home" ? MEMBER_HOME_LIMITS : {} },
  ]);
}

function visitOf({ url }: AppProcess, { name, path, tokens: [token] }: Page): Visited {
  const cookie = token === undefined ? null : { name: sessionCookieName, value: token };
  return { name, url: url + path, cookie };
}

interface Loading {
  readonly app: AppProcess;
  readonly generator: LoadGenerator;
  readonly seconds: number;
}

async function loadRows(
  { name, path, tokens, limits }: Page,
  { app, generator, seconds }: Loading,
): Promise<Row[]> {
  const cookies = tokens.map((token) => [`cookie: ${sessionCookieName}=${token}`]);
  const headers = (cookies.length > 0 ? cookies : [[]]).map((lines) => [
    ...lines,
    `accept-encoding: ${ENCODINGS}`,
  ]);
  const requests = headers.map((_, index) => ({ method: "GET" as const, path, headers: index }));
  const load = { port: app.port, requests, headers, connections: CONNECTIONS, status: 200, once: false };
  await generator.run({ ...load, seconds: WARM_UP_SECONDS });
  const { rate, p50, p99 } = await generator.run({ ...load, seconds });
  const [cookie = ""] = tokens.map((token) => `${sessionCookieName}=${token}`);
  const raw = await bytesOf(app, path, { cookie, "accept-encoding": "identity" });
  const sent = await bytesOf(app, path, { cookie, "accept-encoding": ENCODINGS });
  return [
    { name, value: rate, unit: "/s", limit: limits.rate },
    { name: `${name}: p50`, value: p50, unit: "ms" },
    { name: `${name}: p99`, value: p99, unit: "ms", limit: limits.p99 },
    { name: `${name}: raw`, value: raw.bytes / 1000, unit: "KB", limit: limits.raw },
    { name: `${name}: sent (${sent.encoding})`, value: sent.bytes / 1000, unit: "KB" },
  ];
}

/** Returns the size of a response's body as it is sent. */
async function bytesOf(
  { port }: AppProcess,
  path: string,
  { cookie, ...rest }: Readonly<Record<string, string>>,
): Promise<{ bytes: number; encoding: string }> {
  const headers = cookie ? { cookie, ...rest } : rest;
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    http.get({ port, path, headers }, resolve).on("error", reject);
  });
  let bytes = 0;
  for await (const part of response) bytes += Buffer.from(part).length;
  return { bytes, encoding: response.headers["content-encoding"] ?? "identity" };
}
