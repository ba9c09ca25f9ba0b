import { beforeAll, describe, expect, it } from "vitest";
import { price, type ReplayingBackend, type RunningProver, type Stack, scope } from "../testing/stack";

/** One payment, one proof, whatever the client repeats. */
export function money(stack: () => Stack): void {
  describe("repeating a paid request", () => {
    let running: RunningProver;
    let backend: ReplayingBackend;
    beforeAll(async () => {
      backend = stack().replaying();
      running = await stack().start({}, backend);
    });

    it("delivers the same proof again without charging again", async () => {
      const { inputs } = stack();
      const { header, left } = await stack().pay(running.client, { money: price * 2n });
      const first = await running.client.buy(inputs, header);
      const asked = backend.asked;
      // Another order of members is the same inputs.
      const again = await running.client.buy(Object.fromEntries(Object.entries(inputs).reverse()), header);
      expect([first.status, again.status]).toEqual([200, 200]);
      expect(again.result).toEqual(first.result);
      expect(again.transaction).toBe(first.transaction);
      expect(backend.asked).toBe(asked);
      expect(await left()).toBe(price);
    });

    it("payments F21: leaving out an input's default value is the same request", async () => {
      const { inputs } = stack();
      const { header } = await stack().pay(running.client);
      const first = await running.client.buy({ ...inputs, provider: "provider_a" }, header);
      const again = await running.client.buy(inputs, header);
      expect([again.status, again.result]).toEqual([200, first.result]);
      const other = await running.client.buy({ ...inputs, provider: "provider_b" }, header);
      expect([other.status, other.error?.error]).toEqual([409, "PAYMENT_ALREADY_USED"]);
    });

    it("the same signature twenty times at once is one settlement and one proof", async () => {
      const { inputs, second, payTo } = stack();
      for (const network of ["eip155:8453", "eip155:1"]) {
        const { header } = await stack().pay(running.client, { network, money: price * 20n });
        const [asked, settled, before] = [backend.asked, stack().proxy.settled, await second.balance(payTo)];
        const answers = await Promise.all(
          Array.from({ length: 20 }, () => running.client.buy(inputs, header)),
        );
        expect(answers.map((answer) => answer.status)).toEqual(Array(20).fill(200));
        expect(new Set(answers.map((answer) => answer.transaction)).size).toBe(1);
        expect(new Set(answers.map((answer) => answer.result?.proof)).size).toBe(1);
        expect(backend.asked - asked).toBe(1);
        if (network === "eip155:8453") expect(stack().proxy.settled - settled).toBe(1);
        else expect((await second.balance(payTo)) - before).toBe(price);
      }
    });

    it("with other inputs is 409 and charges nothing", async () => {
      const { inputs, idp } = stack();
      const { header, left } = await stack().pay(running.client, { money: price * 2n });
      expect((await running.client.buy(inputs, header)).status).toBe(200);
      const others = [
        { ...inputs, scope: `${scope}.other` },
        { ...inputs, jwt: await idp.token("mallory@example.com") },
        {},
      ];
      for (const other of others) {
        const { status, error } = await running.client.buy(other, header);
        expect([status, error?.error]).toEqual([409, "PAYMENT_ALREADY_USED"]);
      }
      expect(await left()).toBe(price);
    });

    it("two at once with different inputs: one is served, the other is 409", async () => {
      const { inputs } = stack();
      const { header, left } = await stack().pay(running.client, { money: price * 2n });
      const both = [inputs, { ...inputs, scope: `${scope}.second` }];
      const answers = await Promise.all(both.map((each) => running.client.buy(each, header)));
      expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409]);
      expect(await left()).toBe(price);
    });
  });

  describe("a full queue", () => {
    it("is 503 with Retry-After, charges nothing, and serves the same payment when there is room", async () => {
      const { inputs } = stack();
      const backend = stack().replaying();
      const open = backend.hold();
      const { client, rows } = await stack().start({ queueLimit: 2 }, backend);
      const { header: a } = await stack().pay(client);
      const { header: b } = await stack().pay(client);
      const { header: c, left } = await stack().pay(client);
      const async = { Prefer: "respond-async" };
      const first = await client.buy(inputs, a, async);
      const second = await client.buy(inputs, b, async);
      expect([first.status, second.status]).toEqual([202, 202]);
      // A place is taken by what has settled.
      for (const { jobToken = "" } of [first, second]) {
        await expect
          .poll(async () => (await client.job(jobToken)).payment, { timeout: 60_000 })
          .toBeDefined();
      }

      const third = await client.buy(inputs, c);
      expect([third.status, third.error?.error, third.error?.reason]).toEqual([503, "BUSY", "queue_full"]);
      expect(Number(third.headers.get("retry-after"))).toBeGreaterThan(0);
      expect(await left()).toBe(price);
      expect(await rows()).toHaveLength(2);
      // Joining what already has a place needs none.
      expect((await client.buy(inputs, a, async)).jobToken).toBe(first.jobToken);

      open();
      const ends = await Promise.all([first, second].map(({ jobToken }) => client.events(jobToken ?? "")));
      expect(ends.map((events) => events.at(-1)?.name)).toEqual(["done", "done"]);
      expect((await client.buy(inputs, c)).status).toBe(200);
    });
  });
}
