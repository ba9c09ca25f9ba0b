import { once } from "node:events";
import http from "node:http";
import { expect, test } from "@playwright/test";
import type { Cache } from "@/lib/cache";
import { xssPayloads } from "@/lib/html/testing";
import { jsonReply } from "@/lib/http/reply";
import { getPreview, publicWeb } from "@/lib/preview";

/**
 * What hostile pages say of themselves, through the preview code and the API's own answer, opened in Chromium as a
 * document. The running installation fetches from public addresses only, so these two are put together here with a
 * fetcher that may reach the hostile page of this test.
 */
const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");

function hostilePage(payload: string): string {
  const names = ["og:title", "og:description", "og:image", "og:site_name", "og:url"];
  const meta = names.map((name) => `<meta property="${name}" content="${escaped(payload)}">`).join("");
  return `<html><head><title>${escaped(payload)}</title>${meta}<link rel="icon" href="${escaped(payload)}"></head></html>`;
}

/** Keeps nothing. */
const cache: Cache = {
  get: async () => null,
  set: async () => true,
  increment: async () => ({ value: 1, expiresInSeconds: 1 }),
  delete: async () => undefined,
  take: async () => null,
  publish: async () => undefined,
  subscribe: async () => async () => undefined,
  close: async () => undefined,
};

async function listening(server: http.Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || !address) throw new Error("no port");
  return address.port;
}

test(`${xssPayloads.length} payloads as a page's metadata run nowhere`, async ({ page }) => {
  const site = http.createServer(({ url = "" }, response) => {
    const payload = xssPayloads[Number(url.slice(1))] ?? "";
    response.setHeader("content-type", "text/html; charset=utf-8").end(hostilePage(payload));
  });
  const sitePort = await listening(site);
  const web = publicWeb({ ports: [sitePort], allows: (host) => host === "127.0.0.1" });
  const api = http.createServer(async ({ url = "" }, response) => {
    const preview = await getPreview({ web, cache }, { url: `http://127.0.0.1:${sitePort}${url}` });
    const answer = jsonReply(200, preview, "request-of-this-test");
    for (const [name, value] of answer.headers) response.setHeader(name, value);
    response.end(await answer.text());
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
