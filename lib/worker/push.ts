import * as z from "zod/mini";
import { localeCookie } from "@/lib/i18n/words";
import { type PushData, scope } from "./scope";

const text = z.catch(z.optional(z.string()), undefined);
/** The fields of a push message; other fields are ignored. */
const messageSchema = z.catch(z.object({ kind: text, title: text, body: text, tag: text, url: text }), {});

/** The sentence for each kind of notification, and the text for unknown kinds. */
export interface PushWords {
  readonly title: string;
  readonly body: string;
  readonly sentences: Readonly<Record<string, Readonly<Partial<Record<string, string>>>>>;
}

/** Shows push messages and opens their pages. */
export function listenToPushes(words: PushWords): void {
  const worker = scope();
  worker.addEventListener("push", (event) => {
    event.waitUntil(show(event.data, words));
  });
  worker.addEventListener("notificationclick", (event) => {
    event.notification.close();
    event.waitUntil(open(ownUrl(messageSchema.parse(event.notification.data).url)));
  });
}

// Browsers end subscriptions whose messages show nothing, so every message shows something.
async function show(data: PushData | null, words: PushWords): Promise<void> {
  let json: unknown;
  try {
    json = data?.json();
  } catch {
    // Not ours, or broken: the default text is shown.
  }
  const message = messageSchema.parse(json);
  const options = {
    body: (await sentenceFor(message.kind, words)) ?? message.body ?? words.body,
    tag: message.tag ?? "parley",
    renotify: true,
    icon: "/icons/seal-192.png",
    data: { url: ownUrl(message.url).href },
  };
  await scope().registration.showNotification(message.title ?? words.title, options);
}

/** Returns the notification's sentence in the reader's language. */
async function sentenceFor(kind: string | undefined, { sentences }: PushWords): Promise<string | undefined> {
  if (kind === undefined) return undefined;
  const language = await readerLanguage(Object.keys(sentences));
  return new Map(Object.entries(sentences[language ?? ""] ?? {})).get(kind);
}

/** Returns the language chosen in the settings, else the browser's first supported one. */
async function readerLanguage(known: readonly string[]): Promise<string | undefined> {
  const { cookieStore, navigator } = scope();
  const chosen = await cookieStore?.get(localeCookie).catch(() => null);
  const own = navigator.languages.map((tag) => tag.split("-")[0]);
  return [chosen?.value, ...own].find((tag) => tag !== undefined && known.includes(tag));
}

/** Returns the message's URL if it is on this site, else the list of notifications. */
function ownUrl(url: string | undefined): URL {
  const { origin } = scope().location;
  const fallback = new URL("/alerts", origin);
  if (url === undefined || !URL.canParse(url, origin)) return fallback;
  const target = new URL(url, origin);
  return target.origin === origin ? target : fallback;
}

/** Opens a URL: in a tab that shows it already, else in another tab of ours, else in a new one. */
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
  // A tab that no worker controls cannot be navigated from here.
  await tab.navigate(url.href).catch(() => clients.openWindow(url.href));
}
