import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createHarness, type Harness, type SendOptions, type TestUser } from "@/lib/testing/harness";

let h: Harness;
let ada: TestUser;
beforeAll(async () => {
  h = await createHarness();
  ada = await h.login("ada");
});
afterAll(async () => await h.close());

const session = (sent: SendOptions) => h.send("GET", "/api/auth/session", sent);

describe("requests another site makes a browser send", () => {
  const refresh = (headers: Record<string, string>, sent: SendOptions = {}) =>
    h.send("POST", "/api/auth/refresh", { ...sent, headers });

  it.each([
    ["a foreign Origin", { origin: "https://evil.example" }],
    ["a foreign Origin that looks like ours", { origin: "http://localhost:3000.evil.example" }],
    ["the opaque Origin of a sandboxed frame", { origin: "null" }],
    ["Sec-Fetch-Site cross-site", { "sec-fetch-site": "cross-site" }],
    ["Sec-Fetch-Site same-site: a sibling domain is not us", { "sec-fetch-site": "same-site" }],
    [
      "a foreign Origin that claims same-origin",
      { origin: "https://evil.example", "sec-fetch-site": "same-origin" },
    ],
    ["our host under another port", { origin: "http://localhost:4000" }],
    [
      "security F19: a name that was pointed at this machine (DNS rebinding)",
      { host: "evil.example:3000", origin: "http://evil.example:3000", "sec-fetch-site": "same-origin" },
    ],
  ])("%s: 403, and the session goes on", async (_, headers) => {
    expect(await refresh(headers, { cookie: ada.token })).toMatchObject({
      status: 403,
      body: { code: "cross_site" },
    });
    expect((await session({ cookie: ada.token })).status).toBe(200);
  });

  it.each([
    ["our Origin", { origin: "http://localhost:3000" }],
    ["our Origin, same-origin", { origin: "http://localhost:3000", "sec-fetch-site": "same-origin" }],
    ["another name of this machine", { host: "127.0.0.1:3000", origin: "http://127.0.0.1:3000" }],
    ["neither header: no browser", {}],
  ])("%s passes", async (_, headers) => {
    const user = await h.login("ivy");
    expect((await refresh(headers, { cookie: user.token })).status).toBe(200);
  });

  it("a bearer token passes from anywhere: no site can make a browser attach one", async () => {
    const user = await h.login("jon");
    expect((await refresh({ origin: "https://evil.example" }, { token: user.token })).status).toBe(200);
  });

  it("signing in is refused too: it would put the visitor into somebody else's account", async () => {
    const answer = await h.send("POST", "/api/auth/dev-login", {
      body: {},
      headers: { origin: "https://evil.example" },
    });
    expect(answer.body).toMatchObject({ code: "cross_site" });
    expect(answer.headers.has("set-cookie")).toBe(false);
  });

  it("reading is not refused: a link from another site must open", async () => {
    expect((await session({ cookie: ada.token, headers: { "sec-fetch-site": "cross-site" } })).status).toBe(
      200,
    );
  });
});
