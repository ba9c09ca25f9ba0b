import { localeCookie } from "@/lib/i18n/words";
import { type PushData, scope } from "./scope";

/** What is said of each kind of thing that happened, and of one that this worker does not know. */
export interface PushWords {
  readonly title: string;
  readonly body: string;
  /** By language, then by kind. */
  readonly sentences: Readonly<Record<string, Readonly<Partial<Record<string, string>>>>>;
}

/** Shows push messages and opens what they lead to. */
export function listenToPushes(words: PushWords): void {
  const worker = scope();
  worker.addEventListener("push", (event) => {
    event.waitUntil(show(event.data, words));
  });
  worker.addEventListener("notificationclick", (event) => {
    event.notification.close();
    event.waitUntil(open(ownUrl(field(event.notification.data, "url"))));
  });
}

// Browsers end subscriptions whose messages show nothing: something is shown whatever came.
async function show(data: PushData | null, words: PushWords): Promise<void> {
  let message: unknown = null;
  try {
    message = data?.json();
  } catch {
    // Not ours, or broken: the words say enough.
  }
  const options = {
    body: (await sentenceFor(message, words)) ?? textOf(message, "body") ?? words.body,
    tag: textOf(message, "tag") ?? "parley",
    renotify: true,
    icon: "/icons/seal-192.png",
    data: { url: ownUrl(field(message, "url")).href },
  };
  await scope().registration.showNotification(textOf(message, "title") ?? words.title, options);
}

/** What happened, in the language this browser reads us in. */
async function sentenceFor(message: unknown, { sentences }: PushWords): Promise<string | null> {
  const kind = textOf(message, "kind");
  if (kind === null) return null;
  const language = await readerLanguage(Object.keys(sentences));
  const said = new Map(Object.entries(sentences[language ?? ""] ?? {}));
  return said.get(kind) ?? null;
}

/** The language chosen in the settings, else the first of the browser's own that there is. */
async function readerLanguage(known: readonly string[]): Promise<string | undefined> {
  const { cookieStore, navigator } = scope();
  const chosen = await cookieStore?.get(localeCookie).catch(() => null);
  const own = navigator.languages.map((tag) => tag.split("-")[0]);
  return [chosen?.value, ...own].find((tag) => tag !== undefined && known.includes(tag));
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

function textOf(value: unknown, name: string): string | null {
  const found = field(value, name);
  return typeof found === "string" ? found : null;
}

/** Where a message leads: an address of this site, else the list of notifications. */
function ownUrl(url: unknown): URL {
  const { origin } = scope().location;
  const fallback = new URL("/alerts", origin);
  if (typeof url !== "string" || !URL.canParse(url, origin)) return fallback;
  const target = new URL(url, origin);
  return target.origin === origin ? target : fallback;
}

/** In a tab that shows it already, else in another tab of ours, else in a new one. */
async function open(url: URL): Promise<void> {
  const { clients } = scope();
  const tabs = await clients.matchAll({ type: "window", includeUncontrolled: true });
  const ours = tabs.filter((tab) => new URL(tab.url).origin === url.origin);
  const there = ours.find((tab) => tab.url === url.href);
  if (there) {
    await there.focus();
    return;
  }
  const [tab] = ours;
  if (!tab) {
    await clients.openWindow(url.href);
    return;
  }
  await tab.focus();
  // Of a tab that no worker controls the address cannot be changed from here.
  await tab.navigate(url.href).catch(() => clients.openWindow(url.href));
}
