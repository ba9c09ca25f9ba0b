import { beforeAll, describe, expect, it } from "vitest";
import type { Backend } from "../backend";
import type { Changes } from "../testing/payer";
import { sendRaw } from "../testing/raw-http";
import { price, type RunningProver, type Stack } from "../testing/stack";
import { createWalletPayer } from "../testing/wallets";

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

const now = () => Math.floor(Date.now() / 1000);
const asynchronous = { Prefer: "respond-async" };

/** What unpaid requests cost, and what they can take from those who pay. */
export function admission(stack: () => Stack): void {
  describe("a payment that is worth nothing", () => {
    let running: RunningProver;
    let witnesses = 0;
    beforeAll(async () => {
      const backend = stack().replaying();
      const execute: Backend["execute"] = async (...asked) => {
        witnesses += 1;
        return await backend.execute(...asked);
      };
      running = await stack().start({}, { ...backend, execute });
    });
    const cost = async (header: string, headers: Record<string, string> = {}) => {
      const before = witnesses;
      const { status, error } = await running.client.buy(stack().inputs, header, headers);
      return { status, reason: error?.reason, witnesses: witnesses - before };
    };

    const foreign = `0x${"11".repeat(64)}1b` as const;
    const worthless: [string, string, bigint, () => Changes][] = [
      ["another amount", "wrong_amount", price, () => ({ value: "99999" })],
      ["expired", "expired", price, () => ({ validBefore: now() - 1 })],
      ["not valid yet", "not_yet_valid", price, () => ({ validAfter: now() + 60 })],
      ["a forged signature", "invalid_signature", price, () => ({ signature: foreign })],
      ["an unfunded payer", "insufficient_balance", 0n, () => ({})],
    ];
    for (const network of ["eip155:8453", "eip155:1"]) {
      it.each(worthless)(
        `payments F4: %s costs no witness (${network})`,
        async (_, reason, funds, changes) => {
          const choice = { network, money: funds, changes: changes() };
          const { header } = await stack().pay(running.client, choice);
          expect(await cost(header)).toEqual({ status: 402, reason, witnesses: 0 });
        },
      );
    }

    it("payments F4: a used nonce, a wallet's refusal and a made-up challenge cost no witness; an honest payment one", async () => {
      const { payer, main } = stack();
      const offer = await running.client.offer("eip155:8453");
      const wallet = await payer(price * 2n);
      const contract = await createWalletPayer(main, price);
      const spent = await wallet.sign(offer);
      const { nonce } = spent.signed.authorization;
      await main.submit((await wallet.sign(offer, { nonce, to: contract.address })).signed);
      expect(await cost(spent.header)).toEqual({ status: 402, reason: "already_used", witnesses: 0 });

      const forged = await contract.sign(offer, { signature: foreign });
      expect(await cost(forged.header)).toEqual({ status: 402, reason: "invalid_signature", witnesses: 0 });

      const honest = (await wallet.sign(offer)).header;
      const madeUp = { "X-Payment-Nonce": `0x${"00".repeat(32)}` };
      expect(await cost(honest, madeUp)).toEqual({ status: 400, reason: "unknown", witnesses: 0 });
      expect(await cost(honest)).toEqual({ status: 200, reason: undefined, witnesses: 1 });
    });
  });

  describe("payments that do not settle", () => {
    /** A facilitator that settles nothing, and says so: a prover then looks at the chain for a while. */
    async function withoutSettlement<T>(work: () => Promise<T>): Promise<T> {
      stack().proxy.mode = "refuse";
      try {
        return await work();
      } finally {
        stack().proxy.mode = "pass";
      }
    }
    const headersOf = async (running: RunningProver, network: string, wallets: number) => {
      const headers: string[] = [];
      // One after another: the account that fills wallets numbers its transactions itself.
      for (let i = 0; i < wallets; i += 1)
        headers.push((await stack().pay(running.client, { network })).header);
      return headers;
    };

    it("payments F3: take no place in the queue, so that an honest buyer is served", async () => {
      const { inputs } = stack();
      const running = await stack().start({ queueLimit: 2, reconcileMs: 8_000 }, stack().replaying());
      const { client } = running;
      const [honest = ""] = await headersOf(running, "eip155:1", 1);
      const attackers = await headersOf(running, "eip155:8453", 5);
      await withoutSettlement(async () => {
        for (const header of attackers) {
          expect((await client.buy(inputs, header, asynchronous)).status).toBe(202);
        }
        const { status, error } = await client.buy(inputs, honest);
        expect([status, error?.reason]).toEqual([200, undefined]);
      });
    });

    it("payments F3: are limited among themselves; who is sent away was not charged", async () => {
      const { inputs } = stack();
      const running = await stack().start({ settlementLimit: 1, reconcileMs: 8_000 }, stack().replaying());
      const { client, rows } = running;
      const [first = "", second = ""] = await headersOf(running, "eip155:8453", 2);
      await withoutSettlement(async () => {
        expect((await client.buy(inputs, first, asynchronous)).status).toBe(202);
        const { status, error, headers } = await client.buy(inputs, second);
        expect([status, error?.error, error?.reason]).toEqual([503, "BUSY", "settlements_full"]);
        expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
      });
      expect(await rows()).toHaveLength(1);
    });

    it("payments F3: are four for one payer, and no more than its balance pays", async () => {
      const { inputs, payer, main } = stack();
      const { client } = await stack().start({ reconcileMs: 8_000 }, stack().replaying());
      const offer = await client.offer("eip155:8453");
      const rich = await payer(price * 9n);
      const poor = await payer(price * 2n);
      await withoutSettlement(async () => {
        const buy = async (wallet: typeof rich) => {
          const { header } = await wallet.sign(offer);
          const { status, error, headers } = await client.buy(inputs, header, asynchronous);
          return [status, error?.reason, Number(headers.get("retry-after")) > 0];
        };
        const taken = [202, undefined, false];
        const refused = [503, "payments_open", true];
        for (let i = 0; i < 4; i += 1) expect(await buy(rich)).toEqual(taken);
        expect(await buy(rich)).toEqual(refused);
        for (let i = 0; i < 2; i += 1) expect(await buy(poor)).toEqual(taken);
        expect(await buy(poor)).toEqual(refused);
      });
      expect(await main.balance(rich.address)).toBe(price * 9n);
    });
  });

  describe("who has paid", () => {
    it("payments F3: waits in a full queue and is not sent away; new payments are, uncharged", async () => {
      const { inputs } = stack();
      const backend = stack().replaying();
      backend.broken = true;
      const open = backend.hold();
      const { client } = await stack().start({ queueLimit: 1 }, { ...backend, parallel: 1 });
      const { header: owed } = await stack().pay(client);
      const { header: next } = await stack().pay(client);
      const { header: late, left } = await stack().pay(client);
      expect((await client.buy(inputs, owed)).error?.reason).toBe("resend");
      backend.broken = false;
      const { jobToken = "" } = await client.buy(inputs, next, asynchronous);
      await expect.poll(async () => (await client.job(jobToken)).status, { timeout: 60_000 }).toBe("proving");

      expect((await client.buy(inputs, late)).error?.reason).toBe("queue_full");
      const waiting = await client.buy(inputs, owed, asynchronous);
      expect(waiting.status).toBe(202);
      open();
      expect((await client.events(waiting.jobToken ?? "")).at(-1)?.name).toBe("done");
      expect(await left()).toBe(price);
    });
  });
}
