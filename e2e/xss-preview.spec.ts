import { once } from "node:events";
import http from "node:http";
import { expect, test } from "@playwright/test";
import type { Cache } from "@/lib/cache";
import { contract } from "@/lib/contract";
import { xssPayloads } from "@/lib/html/testing";
import { jsonReply } from "@/lib/http/reply";
import { t } from "@/lib/i18n/english";
import { getPreview } from "@/lib/preview/page";
import { publicWeb } from "@/lib/preview/web";
import { portOf } from "@/lib/testing/port";
import { appOrigin, uniqueWord } from "./support/installation";
import { person, topicOf } from "./support/people";

/**
 * What hostile pages say of themselves, through the preview code and the API's own answer: opened in Chromium as a
 * document, and shown as a card of a post. The running installation fetches from public addresses only, so preview and
 * answer are put together here with a fetcher that may reach the hostile page of this test.
 */
const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");

function hostilePage(payload: string, description = payload): string {
  const names = ["og:title", "og:image", "og:site_name", "og:url"];
  const meta = [...names.map((name) => [name, payload] as const), ["og:description", description] as const]
    .map(([name, content]) => `<meta property="${name}" content="${escaped(content)}">`)
    .join("");
  return `<html><head><title>${escaped(payload)}</title>${meta}<link rel="icon" href="${escaped(payload)}"></head></html>`;
}

/** All payloads, some as titles and every one in a description, which has room for many. */
const sets = split(xssPayloads, 18).map((some) => ({
  title: some[0] ?? "",
  description: some.join(" ").slice(0, 990),
}));

function split<T>(all: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, i) => all.slice(i * size, (i + 1) * size));
}

/** Keeps nothing. */
const cache: Cache = {
  get: async () => null,
  set: async () => true,
  increment: async () => ({ value: 1, expiresInSeconds: 1 }),
  delete: async () => undefined,
  publish: async () => undefined,
  subscribe: async () => async () => undefined,
  close: async () => undefined,
};

async function listening(server: http.Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return portOf(server);
}

test(`${xssPayloads.length} payloads as a page's metadata run nowhere`, async ({ page }) => {
  const site = http.createServer(({ url = "" }, response) => {
    const payload = xssPayloads[Number(url.slice(1))] ?? "";
    response.setHeader("content-type", "text/html; charset=utf-8").end(hostilePage(payload));
  });
  const sitePort = await listening(site);
  const web = publicWeb({ ports: [sitePort], allows: (host) => host === "127.0.0.1" });
  const api = http.createServer(async ({ url = "" }, response) => {
    // Chromium asks for an icon too, at a time of its own: also when the hostile site is closed.
    if (url === "/favicon.ico") {
      response.writeHead(404).end();
      return;
    }
    const preview = await getPreview({ web, cache }, { url: `http://127.0.0.1:${sitePort}${url}` });
    const answer = jsonReply(200, preview, "request-of-this-test");
    for (const [name, value] of answer.headers) response.setHeader(name, value);
    response.end(answer.body);
  });
  const apiPort = await listening(api);

  const executed: string[] = [];
  await page.exposeFunction("parleyExecuted", (what: string) => executed.push(what));
  await page.addInitScript(() => {
    Reflect.set(window, "alert", (what: unknown) => Reflect.get(window, "parleyExecuted")(String(what)));
  });
  page.on("dialog", async (dialog) => {
    executed.push(dialog.message());
    await dialog.dismiss();
  });
  for (const index of xssPayloads.keys()) {
    const answer = await page.goto(`http://127.0.0.1:${apiPort}/${index}`);
    const preview: Record<string, string> = await answer?.json();
    // The metadata got through as text, and no address in it is a script's.
    expect(preview.title).not.toBe("");
    for (const name of ["image", "favicon", "url"]) expect(preview[name]).toMatch(/^(https?:\/\/|$)/);
    expect(executed).toEqual([]);
  }
  site.close();
  api.close();
});

test("cards of hostile pages show their words and run nothing", async ({ page }) => {
  const site = http.createServer(({ url = "" }, response) => {
    const { title, description } = sets[Number(url.slice(1))] ?? { title: "", description: "" };
    response.setHeader("content-type", "text/html; charset=utf-8").end(hostilePage(title, description));
  });
  const port = await listening(site);
  const web = publicWeb({ ports: [port], allows: (host) => host === "127.0.0.1" });
  const executed: string[] = [];
  await page.exposeFunction("parleyExecuted", (what: string) => executed.push(what));
  await page.addInitScript(() => {
    for (const name of ["alert", "confirm", "prompt", "print"]) {
      Reflect.set(window, name, () => Reflect.get(window, "parleyExecuted")(name));
    }
  });
  page.on("request", (request) => {
    const { origin } = new URL(request.url());
    if (origin !== appOrigin && !request.url().startsWith("data:"))
      executed.push(`request: ${request.url()}`);
  });
  await page.route(/\/api\/og\?/, async (route) => {
    const url = new URL(route.request().url()).searchParams.get("url") ?? "";
    await route.fulfill({ json: await getPreview({ web, cache }, { url }) });
  });

  const author = await person(`cards_${uniqueWord()}`);
  const topicId = await topicOf(author, "Cards", []);
  for (let first = 0; first < sets.length; first += 3) {
    const numbers = [first, first + 1, first + 2].filter((n) => n < sets.length);
    const { post } = await author.api.call(contract.posts.create, {
      topicId,
      title: "Links",
      content: numbers.map((n) => `<p><a href="http://127.0.0.1:${port}/${n}">a page</a></p>`).join(""),
    });
    await page.goto(`/posts/${post.id}`);
    for (const n of numbers) {
      const card = page
        .getByRole("list", { name: t("post.links") })
        .getByRole("link")
        .nth(n - first);
      // Words that came from the page, and above them whose page it really is.
      await expect(card).toContainText(sets[n]?.description.slice(0, 20).trim() ?? "");
      await expect(card).toContainText(`127.0.0.1:${port}`);
      await expect(card).toHaveAttribute("href", `http://127.0.0.1:${port}/${n}`);
      expect(await card.locator("script, iframe, object, embed, svg[onload], [style]").count()).toBe(0);
      await card.hover();
      await card.focus();
    }
  }
  expect(executed).toEqual([]);
  site.close();
});
