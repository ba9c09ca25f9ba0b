import { describe, expect, it, vi } from "vitest";
import en from "@/lib/i18n/en/pushed.json" with { type: "json" };
import ko from "@/lib/i18n/ko/pushed.json" with { type: "json" };
import { listenToPushes } from "./push";

/** The listeners, with STUBS of a service worker's scope. */
function startWorker(openTabs: string[] = [], reader: { cookie?: string; languages?: string[] } = {}) {
  const listeners = new Map<string, (event: object) => void>();
  const shown: { title: string; options: Record<string, unknown> }[] = [];
  const did: string[] = [];
  const tabs = openTabs.map((url) => ({
    url,
    focus: async () => void did.push(`focus ${url}`),
    navigate: async (to: string) => {
      if (url.endsWith("uncontrolled")) throw new TypeError("not controlled");
      did.push(`navigate ${url} to ${to}`);
    },
  }));
  const self = {
    location: { origin: "https://parley.example" },
    navigator: { languages: reader.languages ?? ["en-GB"] },
    cookieStore: { get: async () => (reader.cookie === undefined ? null : { value: reader.cookie }) },
    addEventListener: (name: string, listener: (event: object) => void) => void listeners.set(name, listener),
    registration: {
      showNotification: async (title: string, options: Record<string, unknown>) =>
        void shown.push({ title, options }),
    },
    clients: { matchAll: async () => tabs, openWindow: async (url: string) => void did.push(`open ${url}`) },
  };
  vi.stubGlobal("self", self);
  listenToPushes({
    title: "Parley",
    body: "There is something new.",
    sentences: { en: en.pushed, ko: ko.pushed },
  });
  async function send(name: string, event: object): Promise<void> {
    let work: Promise<unknown> = Promise.resolve();
    const waitUntil = (promise: Promise<unknown>) => {
      work = promise;
    };
    listeners.get(name)?.({ ...event, waitUntil });
    await work;
  }
  return {
    listeners,
    shown,
    did,
    push: (text: string | null) =>
      send("push", { data: text === null ? null : { json: () => JSON.parse(text) } }),
    click: (url: unknown) =>
      send("notificationclick", { notification: { data: { url }, close: () => void did.push("close") } }),
  };
}

describe("push messages", () => {
  it("listens to pushes and clicks, and to nothing else", () => {
    expect([...startWorker().listeners.keys()]).toEqual(["push", "notificationclick"]);
  });

  it("shows what a message says", async () => {
    const worker = startWorker();
    await worker.push(JSON.stringify({ title: "Parley", body: "B", url: "/posts/1#comment-2", tag: "t" }));
    expect(worker.shown).toEqual([
      {
        title: "Parley",
        options: {
          body: "B",
          tag: "t",
          renotify: true,
          icon: "/icons/seal-192.png",
          data: { url: "https://parley.example/posts/1#comment-2" },
        },
      },
    ]);
  });

  it.each([
    ["what was chosen in the settings", { cookie: "ko", languages: ["en"] }, ko.pushed.reply],
    ["the browser's own language", { languages: ["fr-CA", "ko-KR", "en"] }, ko.pushed.reply],
    [
      "a language there is, whatever the cookie says",
      { cookie: "toString", languages: ["en"] },
      en.pushed.reply,
    ],
    ["the sender's words where there is none", { languages: ["fr"] }, "As sent."],
  ])("says it in %s", async (_, reader, body) => {
    const worker = startWorker([], reader);
    await worker.push(JSON.stringify({ kind: "reply", body: "As sent." }));
    expect(worker.shown[0]?.options.body).toBe(body);
  });

  it("says what was sent of a kind it does not know", async () => {
    for (const kind of ["newer", "toString"]) {
      const worker = startWorker();
      await worker.push(JSON.stringify({ kind, body: "As sent." }));
      expect(worker.shown[0]?.options.body).toBe("As sent.");
    }
  });

  it.each([null, "{", "[]", '"x"', '{"title": 1, "body": {}, "url": 2}'])(
    "shows something whatever came: %s",
    async (text) => {
      const worker = startWorker();
      await worker.push(text);
      const options = expect.objectContaining({
        body: "There is something new.",
        data: { url: "https://parley.example/alerts" },
      });
      expect(worker.shown).toEqual([{ title: "Parley", options }]);
    },
  );

  it.each([
    "https://evil.example/",
    "//evil.example/x",
    "javascript:alert(1)",
    "data:text/html,x",
    "http://parley.example/",
    5,
  ])("leads nowhere else: %s", async (url) => {
    const worker = startWorker();
    await worker.push(JSON.stringify({ url }));
    await worker.click(url);
    expect(worker.shown[0]?.options.data).toEqual({ url: "https://parley.example/alerts" });
    expect(worker.did).toEqual(["close", "open https://parley.example/alerts"]);
  });

  it("goes to the tab that shows it, else to another of ours, else to a new one", async () => {
    const at = "https://parley.example";
    const cases: [string[], string[]][] = [
      [[`${at}/`, `${at}/posts/1`], [`focus ${at}/posts/1`]],
      [
        ["https://other.example/", `${at}/`],
        [`focus ${at}/`, `navigate ${at}/ to ${at}/posts/1`],
      ],
      [[`${at}/uncontrolled`], [`focus ${at}/uncontrolled`, `open ${at}/posts/1`]],
      [[], [`open ${at}/posts/1`]],
    ];
    for (const [tabs, expected] of cases) {
      const worker = startWorker(tabs);
      await worker.click("/posts/1");
      expect(worker.did).toEqual(["close", ...expected]);
    }
  });
});
