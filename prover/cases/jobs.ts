import { once } from "node:events";
import net from "node:net";
import { text } from "node:stream/consumers";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { VerificationUnavailableError } from "@/lib/proofs/errors";
import { InterruptedError } from "../jobs/run";
import { Instances } from "../store/instances";
import { jobTokenHash } from "../store/job-token";
import { onDisk, price, type RunningProver, type Stack } from "../testing/stack";

/** Jobs that are followed, fail, or outlive their request. */
export function jobs(stack: () => Stack): void {
  describe("a job", () => {
    let running: RunningProver;
    beforeAll(async () => {
      running = await stack().start();
    });

    it("is answered with 202 when the client prefers so, and its events lead to the proof", async () => {
      const { inputs } = stack();
      const { client } = running;
      const { header, address, left } = await stack().pay(client);
      const answer = await client.buy(inputs, header, { Prefer: "wait=5, respond-async" });
      const { status, jobToken = "", headers } = answer;
      expect(status).toBe(202);
      expect(headers.get("location")).toBe(`/api/v1/jobs/${jobToken}`);
      const events = await client.events(jobToken);
      expect(events.map((event) => event.name)).toEqual(
        expect.arrayContaining(["settling", "proving", "checking"]),
      );
      expect(events.every((event) => event.name === event.job.status)).toBe(true);
      expect(events.find((event) => event.name === "queued")?.job.position).toBe(0);
      expect(events.find((event) => event.name === "proving")?.job.expectedMs).toBeGreaterThan(0);
      const last = events.at(-1)?.job;
      const payment = { payer: address, amount: price.toString() };
      expect(last).toMatchObject({ status: "done", payment });
      expect(await client.job(jobToken)).toEqual(last);
      expect((await client.buy(inputs, header)).result).toEqual(last?.result);
      expect(await left()).toBe(0n);
    });

    it("becomes a 202 when it takes longer than a request may", async () => {
      const { inputs } = stack();
      const { client } = await stack().start({ syncLimitMs: 1 }, stack().replaying());
      const { header } = await stack().pay(client);
      const { status, jobToken = "" } = await client.buy(inputs, header);
      expect(status).toBe(202);
      expect((await client.events(jobToken)).at(-1)?.name).toBe("done");
    });

    it("is unknown without its token; a payment id is not one", async () => {
      const { client } = running;
      const { payments } = running.server.store;
      const row = await payments.db.selectFrom("payment").selectAll().executeTakeFirstOrThrow();
      for (const token of ["x", row.id, row.job_token_hash, (await payments.tokenOf(row)).slice(1)]) {
        for (const end of ["", "/events"]) {
          const response = await fetch(`${client.url}/api/v1/jobs/${token}${end}`);
          expect([response.status, await response.json()]).toMatchObject([404, { error: "UNKNOWN_JOB" }]);
        }
      }
    });
  });

  describe("payments F11: a payment that an earlier release wrote down", () => {
    let running: RunningProver;
    beforeAll(async () => {
      running = await stack().start({}, stack().replaying());
    });

    /** A bought proof whose row has the hash of a token that no secret makes. */
    async function earlier(): Promise<{ header: string; old: string; hash: string }> {
      const { header } = await stack().pay(running.client);
      const { result } = await running.client.buy(stack().inputs, header);
      const [old, { db }] = [`old token ${header.length}`, running.server.store.payments];
      const hash = jobTokenHash(old);
      await db
        .updateTable("payment")
        .set({ job_token_hash: hash, delivered_at: null })
        .where("job_token_hash", "=", jobTokenHash(result?.jobToken ?? ""))
        .executeTakeFirstOrThrow();
      return { header, old, hash };
    }

    it("is opened by the token of then, until a resend is told another", async () => {
      const { client, server } = running;
      const { header, old } = await earlier();
      const { db } = server.store.payments;
      const shown = await client.job(old);
      expect([shown.status, shown.result?.jobToken]).toEqual(["done", old]);
      // Given to somebody: it does not become a credit when its day is over.
      const row = await db.selectFrom("payment").select("delivered_at").executeTakeFirstOrThrow();
      expect(row.delivered_at).toBeInstanceOf(Date);
      const resent = (await client.buy(stack().inputs, header)).result;
      expect(resent?.proof).toBe(shown.result?.proof);
      expect((await client.job(resent?.jobToken ?? "")).result).toEqual(resent);
      expect((await fetch(`${client.url}/api/v1/jobs/${old}`)).status).toBe(404);
      // Each further resend is told the same.
      expect((await client.buy(stack().inputs, header)).result).toEqual(resent);
      await server.store.payments.removeProofs(new Date(Date.now() + 1));
      expect(await db.selectFrom("credit").selectAll().execute()).toEqual([]);
    });

    it("ends the stream of a token that a resend replaced", async () => {
      const { client, server } = running;
      const { old, hash } = await earlier();
      const { db } = server.store.payments;
      // Another process works on it, and lives.
      const other = new Instances(db, false, new Uint8Array(32));
      await other.enter("key", 1);
      const open = { state: "settled", proof: null, owner: other.me } as const;
      await db.updateTable("payment").set(open).where("job_token_hash", "=", hash).execute();
      const at = `${client.url}/api/v1/jobs/${encodeURIComponent(old)}/events`;
      // One that never ended would keep its prover from ending, too.
      const response = await fetch(at, { signal: AbortSignal.timeout(20_000) });
      expect(response.status).toBe(200);
      await db
        .updateTable("payment")
        .set({ job_token_hash: "another" })
        .where("job_token_hash", "=", hash)
        .execute();
      expect(await response.text()).toMatch(/^event: settling\n/);
      await other.leave();
    });
  });

  describe("a proof that fails", () => {
    it("leaves the payment good for a resend; the third failure is a credit, which a later proof redeems", async () => {
      const { inputs } = stack();
      const backend = stack().replaying();
      backend.broken = true;
      const { client, server } = await stack().start({}, backend);
      const { db } = server.store.payments;
      const { header, address, left } = await stack().pay(client, { money: price * 3n });
      for (const reason of ["resend", "resend", "credited", "credited"]) {
        const answer = await client.buy(inputs, header);
        expect([answer.status, answer.error]).toMatchObject([500, { error: "PROVE_FAILED", reason }]);
        // It paid, and is told so.
        expect(answer.transaction).toMatch(/^0x/);
      }
      const credits = async () => await db.selectFrom("credit").selectAll().execute();
      expect(await credits()).toMatchObject([
        { payer: address, amount: price.toString(), redeemed_at: null },
      ]);
      backend.broken = false;
      expect((await client.buy(inputs, header)).status).toBe(200);
      expect((await credits())[0]?.redeemed_at).toBeInstanceOf(Date);
      expect(await left()).toBe(price * 2n);
    });

    it("is owed after a restart with other offers too", async () => {
      await onDisk(async (databaseUrl) => {
        const { inputs, deployment } = stack();
        const backend = stack().replaying();
        backend.broken = true;
        const first = await stack().start({ databaseUrl }, backend);
        const { header, left } = await stack().pay(first.client, { money: price * 2n });
        expect((await first.client.buy(inputs, header)).error?.error).toBe("PROVE_FAILED");
        await first.server.close();
        const offers = deployment.offers.map((offer) => ({ ...offer, amount: "200000" }));
        const dearer = { databaseUrl, deployment: { ...deployment, offers } };
        const again = await stack().start(dearer, stack().replaying());
        expect((await again.client.buy(inputs, header)).status).toBe(200);
        expect(await left()).toBe(price);
        await again.server.close();
      });
    });

    it("is never delivered when it is a proof of something else, or the verifier refuses it", async () => {
      const { inputs } = stack();
      const good = stack().replaying();
      type Made = Awaited<ReturnType<typeof good.prove>>;
      const wrong: ((made: Made) => Made)[] = [
        ({ proof, publicInputs }) => ({ proof, publicInputs: publicInputs.toReversed() }),
        ({ proof, publicInputs }) => ({ proof: `0x${flipLast(proof.slice(2))}`, publicInputs }),
      ];
      for (const change of wrong) {
        const prove: typeof good.prove = async (id, witness) => change(await good.prove(id, witness));
        const { client } = await stack().start({}, { prove });
        const { header } = await stack().pay(client);
        expect((await client.buy(inputs, header)).error?.error).toBe("PROVE_FAILED");
      }
    });

    it("by an expired token at the resend of a paid request is a credit at once", async () => {
      const now = Math.floor(Date.now() / 1000);
      const jwt = await stack().idp.token("short@example.com", { iat: now - 120, exp: now + 60 });
      const prove = () => Promise.reject(new InterruptedError("stopped"));
      const { client, server } = await stack().start({}, { prove });
      const { header } = await stack().pay(client);
      const inputs = { jwt, scope: "parley.test" };
      const first = await client.buy(inputs, header);
      expect([first.status, first.error?.reason]).toEqual([503, "interrupted"]);
      // Clocks may differ by a minute: two minutes later nobody takes it any more.
      const clock = Date.now;
      const later = vi.spyOn(Date, "now").mockImplementation(() => clock() + 121_000);
      const resent = await client.buy(inputs, header).finally(() => later.mockRestore());
      expect([resent.status, resent.error?.reason]).toEqual([500, "credited"]);
      expect(await server.store.payments.db.selectFrom("credit").selectAll().execute()).toHaveLength(1);
    });

    it("because the verifying chain is away is 503, not a failure, and the resend delivers", async () => {
      const { inputs } = stack();
      let away = true;
      const good = stack().replaying();
      const check: typeof good.check = async (id, proof) => {
        if (away) throw new VerificationUnavailableError("away");
        return await good.check(id, proof);
      };
      const { client, rows } = await stack().start({}, { ...good, check }, { checkPauseMs: 10 });
      const { header } = await stack().pay(client);
      const first = await client.buy(inputs, header);
      expect([first.status, first.error?.reason]).toEqual([503, "verification_unavailable"]);
      expect(await rows()).toMatchObject([{ state: "settled", failures: 0 }]);
      away = false;
      expect((await client.buy(inputs, header)).status).toBe(200);
    });
  });

  describe("a start", () => {
    it("takes no work before bb is warm, which takes every bb", async () => {
      let isWarm = false;
      const warm = async () => {
        await new Promise((resolve) => setImmediate(resolve));
        isWarm = true;
      };
      await stack().start({}, { warm });
      expect(isWarm).toBe(true);
    });
  });

  describe("a stop", () => {
    it("answers a request that comes on an accepted connection, and ends", async () => {
      const { client, server } = await stack().start({ stopGraceMs: 60_000 });
      const socket = net.connect(server.port, "127.0.0.1");
      await once(socket, "connect");
      const body = JSON.stringify({ circuit: "oidc_domain_attestation" });
      const answer = text(socket);
      const closed = server.close();
      await expect
        .poll(() =>
          fetch(`${client.url}/health`).then(
            () => "up",
            () => "down",
          ),
        )
        .toBe("down");
      socket.write(
        `POST /api/v1/prove HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
      );
      expect(await answer).toMatch(/^HTTP\/1\.1 402/);
      await closed;
    });

    it("leaves a running paid job resumable, sends its clients elsewhere, and takes no new one", async () => {
      const { inputs } = stack();
      let stopped: (error: Error) => void = () => undefined;
      const { client, server } = await stack().start(
        { stopGraceMs: 300 },
        {
          prove: async () =>
            await new Promise((_, reject) => {
              stopped = reject;
            }),
          close: async () => stopped(new InterruptedError("the prover stops")),
        },
      );
      const { header, left } = await stack().pay(client);
      const { jobToken = "" } = await client.buy(inputs, header, { Prefer: "respond-async" });
      const waiting = client.buy(inputs, header);
      const events = client.events(jobToken);
      await expect.poll(async () => (await client.job(jobToken)).status).toBe("proving");
      const closed = server.close();
      const answer = await waiting;
      expect([answer.status, answer.jobToken]).toEqual([202, jobToken]);
      expect((await events).at(-1)?.name).toBe("proving");
      await closed;
      await expect(fetch(`${client.url}/health`)).rejects.toThrow();
      expect(await left()).toBe(0n);
    });
  });
}

/** Changes the last hex digit. */
function flipLast(hex: string): string {
  return `${hex.slice(0, -1)}${hex.endsWith("0") ? "1" : "0"}`;
}
