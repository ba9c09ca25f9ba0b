import { readdirSync } from "node:fs";
import path from "node:path";
import { type Method, methods } from "@/lib/http/methods";
import type { RouteHandler } from "@/lib/http/reply";
import { sendToServer } from "./api-server";
import { backend } from "./backends";

const root = path.resolve(import.meta.dirname, "../..");

/** One route file of app/api. */
export interface RouteFile {
  /** `/api/posts/{postId}`; a catch-all is `/api/{...path}`. */
  readonly path: string;
  readonly file: string;
}

/** Every route file under app/api, as Next would find it; the most specific first. */
export function routeFiles(): RouteFile[] {
  return readdirSync(path.join(root, "app/api"), { recursive: true, encoding: "utf8" })
    .filter((file) => path.basename(file) === "route.ts")
    .map((file) => ({
      path: ["", "api", ...path.dirname(file).split(path.sep).filter(isSegment)].map(template).join("/"),
      file: path.join(root, "app/api", file),
    }))
    .sort((a, b) => (rank(a.path) < rank(b.path) ? -1 : 1));
}

/** Route groups `(name)` and the root add nothing to the path. */
function isSegment(segment: string): boolean {
  return segment !== "." && !/^\(.*\)$/.test(segment);
}

function template(segment: string): string {
  return segment.replace(/^\[\[?(\.\.\.)?(\w+)\]?\]$/, "{$1$2}");
}

/** Next prefers a fixed segment to a parameter, and a parameter to a catch-all. */
function rank(routePath: string): string {
  return routePath
    .split("/")
    .map((s) => (s.startsWith("{...") ? "2" : s.startsWith("{") ? "1" : "0"))
    .join("")
    .padEnd(20, "0");
}

type Params = Record<string, string | string[] | undefined>;

/** Path parameters when the route takes this path, decoded as Next does; else null. */
function match(routePath: string, pathname: string): Params | null {
  const params: Params = {};
  const given = pathname.split("/");
  for (const [index, segment] of routePath.split("/").entries()) {
    const name = /^\{(\.\.\.)?(\w+)\}$/.exec(segment);
    if (name?.[1] && name[2]) {
      params[name[2]] = given.slice(index).map(decodeURIComponent);
      return params;
    }
    const value = given[index];
    if (value === undefined) return null;
    if (name?.[2]) params[name[2]] = decodeURIComponent(value);
    else if (value !== segment) return null;
  }
  return given.length === routePath.split("/").length ? params : null;
}

/** Methods a route file exports. */
export async function routeModule(file: string): Promise<Partial<Record<Method, RouteHandler>>> {
  const loaded: unknown = await import(/* @vite-ignore */ file);
  const exported = new Map<string, unknown>(Object.entries(Object(loaded)));
  const handlers: Partial<Record<Method, RouteHandler>> = {};
  for (const method of methods) {
    const handler = exported.get(method);
    if (isRouteHandler(handler)) handlers[method] = handler;
  }
  return handlers;
}

function isRouteHandler(value: unknown): value is RouteHandler {
  return typeof value === "function";
}

/** Routes outside app/api: the platform's clock, uploads by their keys, and what machines are told of pages. */
const outside: readonly RouteFile[] = [
  "cron/housekeeping",
  "uploads/[...path]",
  "sitemap.xml",
  "sitemaps/[part]",
  "feed.xml",
  "atom.xml",
  "search/feed.xml",
  "feeds/[token]/feed.xml",
  "topics/[id]/feed.xml",
  "topics/[id]/atom.xml",
  "cards/site",
  "cards/topics/[id]",
  "cards/posts/[id]",
].map((folder) => ({
  path: ["", ...folder.split("/").map(template)].join("/"),
  file: path.join(root, "app", folder, "route.ts"),
}));

/** Found and loaded once: to walk the folders for every request took longer than most answers. */
let routes: readonly RouteFile[] | undefined;
const loadedRoutes = new Map<string, ReturnType<typeof routeModule>>();

function handlersOf(file: string): ReturnType<typeof routeModule> {
  const loaded = loadedRoutes.get(file) ?? routeModule(file);
  loadedRoutes.set(file, loaded);
  return loaded;
}

/**
 * Sends a request to the app. The API answers as behind the entry server, over HTTP; on @vercel/postgres, whose platform
 * has no entry server, Next's way.
 */
export async function dispatch(request: Request): Promise<Response> {
  const isApi = new URL(request.url).pathname.startsWith("/api/");
  return isApi && backend().name !== "vercel"
    ? await sendToServer(request, (rest) => answerAsNext(rest, true))
    : await answerAsNext(request);
}

/**
 * Answers a request with the route file that Next would choose.
 * @param isRest whether the entry server has answered all operations, so that only refusals are left
 * @throws Error for an operation that the entry server does not know
 */
async function answerAsNext(request: Request, isRest = false): Promise<Response> {
  const { pathname } = new URL(request.url);
  routes ??= [...outside, ...routeFiles()];
  for (const route of routes) {
    const params = match(route.path, pathname);
    if (!params) continue;
    const handlers = await handlersOf(route.file);
    const method = methods.find((m) => m === (request.method === "HEAD" ? "GET" : request.method));
    const handler = method && handlers[method];
    if (!handler) return new Response(null, { status: 405 });
    if (isRest && "op" in handler) {
      throw new Error(`app/api/routes.ts does not list ${path.relative(root, route.file)}`);
    }
    // As Next does: a path without parameters has none, not an empty object.
    return await handler(request, Object.keys(params).length > 0 ? { params: Promise.resolve(params) } : {});
  }
  throw new Error(`app/api has no catch-all for ${pathname}`);
}
