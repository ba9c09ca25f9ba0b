import { rm } from "node:fs/promises";
import http, { type IncomingMessage } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AppHome, type AppProcess, appHome } from "./app-process";

/** One process of the built app, asked as no browser would. */
let home: AppHome;
let app: AppProcess;
beforeAll(async () => {
  home = await appHome();
  app = await home.start({ RATE_LIMITS: "on" });
});
afterAll(async () => {
  await app.kill("SIGKILL");
  await rm(home.settings.home, { recursive: true, force: true });
});

/** Asks with the path as it is. */
async function ask(path: string, method = "GET", headers: Record<string, string> = {}) {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    http.request({ port: app.port, path, method, headers }, resolve).on("error", reject).end();
  });
  const parts: Buffer[] = [];
  for await (const part of response) parts.push(part);
  return { status: response.statusCode, headers: response.headers, text: Buffer.concat(parts).toString() };
}

describe("the built app", () => {
  it("security F3: has no image optimiser", async () => {
    for (const path of ["/_next/image", "/_next/image?url=%2Ficon.svg&w=640&q=75"]) {
      expect(await ask(path)).toMatchObject({
        status: 404,
        headers: { "x-content-type-options": "nosniff" },
      });
    }
  });

  it("security F19: answers paths that cannot be decoded, and TRACE, like everything else", async () => {
    for (const path of ["/api/posts/%ff", "/posts/%ff", "/invite/%ff", "/uploads/%ff"]) {
      const { status, headers } = await ask(path);
      expect([status, headers["x-frame-options"]], path).toEqual([404, "DENY"]);
      expect(headers["x-request-id"], path).toBeTruthy();
    }
    expect((await ask("/", "TRACE")).status).toBe(405);
  });

  it.each([
    ["/invite/x.xml", {}],
    ["/phone/x.xml", {}],
    ["/api2-like", {}],
    ["/nothing/here", {}],
    ["/", { purpose: "prefetch" }],
  ])("security F19: every page has a policy: %s %j", async (path, headers) => {
    const policy = (await ask(path, "GET", headers)).headers["content-security-policy"];
    expect(policy).toMatch(/script-src 'self' '(nonce-\w+|sha256-[\w+/=]+)'/);
  });

  it("security F10: pages are limited, with 429 and when to come back", async () => {
    let refused = 0;
    for (let i = 0; i < 65 && refused === 0; i += 1) {
      const answer = await ask("/search?q=x");
      if (answer.status === 200) continue;
      expect(answer.status).toBe(429);
      expect(Number(answer.headers["retry-after"])).toBeGreaterThan(0);
      expect(answer.text).toMatch(/^Too many requests/);
      refused = i;
    }
    expect(refused).toBe(60);
  });
});
