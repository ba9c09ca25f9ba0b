import { beforeAll, describe, expect, it } from "vitest";
import { sendRaw } from "../testing/raw-http";
import { price, type RunningProver, type Stack } from "../testing/stack";

const megabyte = 1024 * 1024;
const wrapped = (inputs: string) => `{"circuit":"oidc_domain_attestation","inputs":{"jwt":${inputs}}}`;
const deep = (depth: number) => wrapped(`${"[".repeat(depth)}${"]".repeat(depth)}`);
const list = (entries: number) => wrapped(`[${"1,".repeat(entries - 1)}1]`);

/** What the service refuses early, and whom it asks to wait. */
export function limits(stack: () => Stack): void {
  describe("what is too much", () => {
    const tooMuch = [
      ["a body of 64 MB", Buffer.alloc(64 * megabyte, " "), 413],
      ["JSON nested 100,000 deep", Buffer.from(deep(100_000)), 413],
      ["a list of a million entries", Buffer.from(list(1_000_000)), 413],
      ["JSON nested as deep as a body allows", Buffer.from(deep(30_000)), 400],
      ["a list as long as a body allows", Buffer.from(list(30_000)), 400],
    ] as const;
    for (const framing of ["length", "chunked"] as const) {
      it.each(tooMuch)(`%s is refused in under 50 ms (${framing})`, async (_, body, status) => {
        const { url } = stack().prover.client;
        // The best of some: other programs of this machine are not what is measured.
        const answers = [];
        for (let i = 0; i < 4; i += 1) answers.push(await sendRaw(url, body, framing));
        expect(answers.map((answer) => answer.status)).toEqual([status, status, status, status]);
        expect(Math.min(...answers.map((answer) => answer.answeredMs))).toBeLessThan(50);
        expect(JSON.parse(answers[0]?.body ?? "")).toHaveProperty("message");
      });
    }

    it("a large body is not taken in: the answer comes first, and the connection is closed", async () => {
      for (const framing of ["length", "chunked"] as const) {
        const { url } = stack().prover.client;
        const answer = await sendRaw(url, Buffer.alloc(256 * megabyte, " "), framing);
        expect(answer.status).toBe(413);
        expect(answer.sent).toBeLessThan(8 * megabyte);
        expect(answer.closedMs).toBeLessThan(1_500);
      }
    });
  });

  describe("rate limits", () => {
    const refusal = { error: "RATE_LIMITED" };
    let limited: RunningProver;
    beforeAll(async () => {
      limited = await stack().start(
        { limits: { challenges: 3, attempts: 1, requests: 1_000 }, trustedProxies: 1 },
        stack().replaying(),
      );
    });
    const from = (address: string) => ({ "x-forwarded-for": `10.0.0.1, ${address}` });
    const wait = (headers: Headers) => Number(headers.get("retry-after"));

    it("prices: so many for an address, then 429 with the time to wait; other addresses are not touched", async () => {
      const { client } = limited;
      const ask = () => client.post({ circuit: client.asks }, from("192.0.2.1"));
      const statuses = [];
      for (let i = 0; i < 3; i += 1) statuses.push((await ask()).status);
      const refused = await ask();
      expect([...statuses, refused.status]).toEqual([402, 402, 402, 429]);
      expect(refused.error).toMatchObject({ ...refusal, reason: "challenges" });
      expect(wait(refused.headers)).toBeGreaterThan(0);
      expect(wait(refused.headers)).toBeLessThanOrEqual(60);
      expect((await client.post({ circuit: client.asks }, from("192.0.2.2"))).status).toBe(402);
    });

    it("what is solved and never settles counts, for the address and for the payer; what settles does not", async () => {
      const { client } = limited;
      const { inputs } = stack();
      const offer = await stack().prover.client.offer("eip155:8453");
      const buy = async (header: string, address: string) => {
        const { status, error, headers } = await client.buy(inputs, header, from(address));
        return [status, error?.reason, wait(headers) > 0];
      };
      const sign = async (dollars: bigint) => (await (await stack().payer(dollars)).sign(offer)).header;
      // One attempt is allowed, and proofs that are bought are none.
      for (let i = 0; i < 2; i += 1) {
        expect(await buy(await sign(price), "192.0.2.10")).toEqual([200, undefined, false]);
      }
      expect(await buy(await sign(0n), "192.0.2.10")).toEqual([402, "insufficient_balance", false]);
      expect(await buy(await sign(price), "192.0.2.10")).toEqual([429, "attempts", true]);

      const poor = await stack().payer(0n);
      const again = async () => (await poor.sign(offer)).header;
      expect(await buy(await again(), "192.0.2.11")).toEqual([402, "insufficient_balance", false]);
      expect(await buy(await again(), "192.0.2.12")).toEqual([429, "attempts", true]);

      // Whoever names a payer without its signature does not use up its attempts.
      const victim = await stack().payer();
      const { signed } = await poor.sign(offer);
      const forged = await victim.sign(offer, { signature: signed.signature });
      expect(await buy(forged.header, "192.0.2.13")).toEqual([402, "invalid_signature", false]);
      expect(await buy((await victim.sign(offer)).header, "192.0.2.14")).toEqual([200, undefined, false]);
    });

    it("count every request of an address; the header is not believed where no proxy is trusted", async () => {
      const { client } = await stack().start({ limits: { challenges: 9, attempts: 9, requests: 3 } });
      const read = (address: string) =>
        fetch(`${client.url}/api/v1/guide/oidc_domain_attestation`, { headers: from(address) });
      const answers = [];
      for (let i = 0; i < 4; i += 1) answers.push(await read(`192.0.2.${i}`));
      expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 429]);
      expect(await answers[3]?.json()).toMatchObject({ ...refusal, reason: "requests" });
      expect(answers[3]?.headers.get("retry-after")).toMatch(/^\d+$/);
    });
  });
}
