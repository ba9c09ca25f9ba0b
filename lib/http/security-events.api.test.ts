import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { addTo, makePost, makeTopic, signIn } from "@/lib/community/testing";
import { describeError, log } from "@/lib/log";
import { createHarness, type Harness } from "@/lib/testing/harness";

let h: Harness;
beforeAll(async () => {
  h = await createHarness({ env: { TRUST_PROXY: "1", RATE_LIMITS: "on" } });
});
afterAll(() => h.close());
afterEach(() => vi.restoreAllMocks());

/** Everything logged from here on, as log lines. */
function listen() {
  const lines: string[] = [];
  for (const level of ["info", "warn", "error"] as const) {
    vi.spyOn(log, level).mockImplementation((fields: unknown, text?: unknown) => {
      const { err, ...others } = Object(fields);
      lines.push(JSON.stringify({ ...others, err: err && describeError(err), text }));
    });
  }
  const events = () => lines.flatMap((line) => JSON.parse(line).security ?? []);
  return { lines, events };
}

const headers = { "x-forwarded-for": "192.0.2.123" };

describe("security F16: events in the log", () => {
  it("sign-in, its end, refused credentials, requests from other sites: one line each, without secrets", async () => {
    const { lines, events } = listen();
    const signedIn = await h.send("POST", "/api/auth/dev-login", {
      headers,
      body: { nickname: "canary_name" },
    });
    const { token, userId } = Object(signedIn.body);
    await h.send("POST", "/api/auth/logout", { token, headers });
    await h.send("GET", "/api/auth/session", { token, headers });
    await h.send("GET", "/api/auth/session", { cookie: "canary-token", headers });
    await h.send("POST", "/api/auth/logout", { headers: { ...headers, origin: "https://canary.example" } });
    const proof = { circuit: "oidc_domain_attestation", proof: "0xcanary", publicInputs: ["0x00"] };
    const body = { challengeId: "canary@mail.example", result: { ...proof, proof: "0x00" } };
    await h.send("POST", "/api/auth/verify/ai", { headers, body });
    expect(events()).toEqual([
      "signed_in",
      "session_ended",
      "credential_refused",
      "credential_refused",
      "cross_site",
      "sign_in_refused",
    ]);
    const all = lines.join("\n");
    for (const secret of [token, userId, "canary", "192.0.2.123", "mail.example"]) {
      expect(all).not.toContain(secret);
    }
    const tags = new Set(
      lines.map((line) => JSON.parse(line)).flatMap((line) => (line.security ? line.address : [])),
    );
    expect([...tags]).toEqual([expect.stringMatching(/^[\w-]{16}$/)]);
  });

  it("429, and what staff does; what members do is no event", async () => {
    const owner = await signIn(h);
    const member = await signIn(h);
    const topic = await makeTopic(owner);
    await addTo(h.db, topic.id, member);
    const { events } = listen();
    const post = await makePost(member, topic.id);
    expect(events()).toEqual([]);
    await h.send("POST", `/api/posts/${post.id}/pin`, { token: owner.token });
    expect(events()).toEqual(["staff_act"]);
    const decision = { cases: [{ kind: "post", targetId: post.id }], action: "hide" };
    await h.send("POST", "/api/moderation/queue", { token: owner.token, body: decision });
    expect(events()).toEqual(["staff_act", "staff_act"]);
    for (let i = 0; i < 32; i += 1) await h.send("POST", "/api/auth/logout", { headers });
    expect(new Set(events().slice(2))).toEqual(new Set(["rate_limited"]));
  });

  it("an address that could not be fetched is not named, with cause or stack neither", async () => {
    const { lines } = listen();
    const url = encodeURIComponent("https://canary-host.invalid/private?token=canary");
    const answer = await h.send("GET", `/api/og?url=${url}`, { headers });
    expect(answer.status).toBe(502);
    // That it was refused, and the line that each request has.
    expect(lines.map((line) => JSON.parse(line).text)).toEqual(["request refused", "request"]);
    expect(lines.join()).not.toMatch(/canary|ENOTFOUND|node_modules| at /);
  });
});
