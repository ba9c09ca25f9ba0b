import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { VerificationUnavailableError } from "@/lib/proofs/errors";
import { InterruptedError } from "../jobs/run";
import { Instances } from "../store/instances";
import { jobTokenHash } from "../store/job-token";
import { price, type RunningProver, type Stack } from "../testing/stack";

/** Jobs that are followed, fail, or outlive their request. */
export function jobs(stack: () => Stack): void {
  describe("a job", () => {
    let running: RunningProver;
    beforeAll(async () => {
      running = await stack().start();
    });

    it("is answered with 202 when the client prefers so, and its events lead to the proof", async () => {
      const { payer, inputs, main } = stack();
      const { client } = running;
      const wallet = await payer();
      const { header } = await wallet.sign(await client.offer("eip155:8453"));
      const {
        status,
        jobToken = "",
        headers,
      } = await client.buy(inputs, header, { Prefer: "wait=5, respond-async" });
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
      expect([last?.status, last?.payment?.payer, last?.payment?.amount]).toEqual([
        "done",
        wallet.account.address,
        price.toString(),
      ]);
      expect(await client.job(jobToken)).toEqual(last);
      expect((await client.buy(inputs, header)).result).toEqual(last?.result);
      expect(await main.balance(wallet.account.address)).toBe(0n);
    });

    it("becomes a 202 when it takes longer than a request may", async () => {
      const { payer, inputs } = stack();
      const { client } = await stack().start({ syncLimitMs: 1 }, stack().replaying());
      const { header } = await (await payer()).sign(await client.offer("eip155:8453"));
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
      const { header } = await (await stack().payer()).sign(await running.client.offer("eip155:8453"));
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
      const other = new Instances(db, false);
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
      const { payer, inputs, main } = stack();
      const good = stack().replaying();
      let broken = true;
      const { client, server } = await stack().start(
        {},
        {
          async prove(id, witness) {
            if (broken) throw new Error("bb refused the job");
            return await good.prove(id, witness);
          },
        },
      );
      const { db } = server.store.payments;
      const wallet = await payer(price * 3n);
      const { header } = await wallet.sign(await client.offer("eip155:8453"));
      for (const reason of ["resend", "resend", "credited", "credited"]) {
        const answer = await client.buy(inputs, header);
        expect([answer.status, answer.error?.error, answer.error?.reason]).toEqual([
          500,
          "PROVE_FAILED",
          reason,
        ]);
        // It paid, and is told so.
        expect(answer.transaction).toMatch(/^0x/);
      }
      const credits = async () => await db.selectFrom("credit").selectAll().execute();
      expect(await credits()).toMatchObject([
        { payer: wallet.account.address, amount: price.toString(), redeemed_at: null },
      ]);
      broken = false;
      expect((await client.buy(inputs, header)).status).toBe(200);
      expect((await credits())[0]?.redeemed_at).toBeInstanceOf(Date);
      expect(await main.balance(wallet.account.address)).toBe(price * 2n);
    });

    it("is owed after a restart with other offers too", async () => {
      const { payer, inputs, main, deployment } = stack();
      const folder = await mkdtemp(path.join(os.tmpdir(), "parley-offers-"));
      const databaseUrl = `pglite:${path.join(folder, "db")}`;
      const first = await stack().start(
        { databaseUrl },
        { prove: () => Promise.reject(new Error("bb refused the job")) },
      );
      const wallet = await payer(price * 2n);
      const { header } = await wallet.sign(await first.client.offer("eip155:8453"));
      expect((await first.client.buy(inputs, header)).error?.error).toBe("PROVE_FAILED");
      await first.server.close();
      const dearer = deployment.offers.map((offer) => ({ ...offer, amount: "200000" }));
      const again = await stack().start(
        { databaseUrl, deployment: { ...deployment, offers: dearer } },
        stack().replaying(),
      );
      expect((await again.client.buy(inputs, header)).status).toBe(200);
      expect(await main.balance(wallet.account.address)).toBe(price);
      await again.server.close();
      await rm(folder, { recursive: true, force: true });
    });

    it("is never delivered when it is a proof of something else, or the verifier refuses it", async () => {
      const { payer, inputs } = stack();
      const good = stack().replaying();
      type Made = Awaited<ReturnType<typeof good.prove>>;
      const wrong: ((made: Made) => Made)[] = [
        ({ proof, publicInputs }) => ({ proof, publicInputs: publicInputs.toReversed() }),
        ({ proof, publicInputs }) => ({ proof: `0x${flipLast(proof.slice(2))}`, publicInputs }),
      ];
      for (const change of wrong) {
        const { client } = await stack().start(
          {},
          { prove: async (id, witness) => change(await good.prove(id, witness)) },
        );
        const { header } = await (await payer()).sign(await client.offer("eip155:8453"));
        expect((await client.buy(inputs, header)).error?.error).toBe("PROVE_FAILED");
      }
    });

    it("by an expired token at the resend of a paid request is a credit at once", async () => {
      const { payer, idp } = stack();
      const now = Math.floor(Date.now() / 1000);
      const jwt = await idp.token("short@example.com", { iat: now - 120, exp: now + 60 });
      const { client, server } = await stack().start(
        {},
        {
          prove: async () => {
            throw new InterruptedError("stopped");
          },
        },
      );
      const { header } = await (await payer()).sign(await client.offer("eip155:8453"));
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
      const { payer, inputs } = stack();
      let away = true;
      const good = stack().replaying();
      const { client, server } = await stack().start(
        {},
        {
          ...good,
          async check(id, proof) {
            if (away) throw new VerificationUnavailableError("away");
            return await good.check(id, proof);
          },
        },
        { checkPauseMs: 10 },
      );
      const { header } = await (await payer()).sign(await client.offer("eip155:8453"));
      const first = await client.buy(inputs, header);
      expect([first.status, first.error?.reason]).toEqual([503, "verification_unavailable"]);
      const row = await server.store.payments.db.selectFrom("payment").selectAll().executeTakeFirstOrThrow();
      expect([row.state, row.failures]).toEqual(["settled", 0]);
      away = false;
      expect((await client.buy(inputs, header)).status).toBe(200);
    });
  });

  describe("a stop", () => {
    it("leaves a running paid job resumable and takes no new one", async () => {
      const { payer, inputs, main } = stack();
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
      const wallet = await payer();
      const { header } = await wallet.sign(await client.offer("eip155:8453"));
      const { jobToken = "" } = await client.buy(inputs, header, { Prefer: "respond-async" });
      const waiting = client.buy(inputs, header);
      const events = client.events(jobToken);
      await expect.poll(async () => (await client.job(jobToken)).status).toBe("proving");
      const closed = server.close();
      const answer = await waiting;
      expect([answer.status, answer.error?.reason]).toEqual([503, "interrupted"]);
      expect((await events).at(-1)?.name).toBe("failed");
      await closed;
      await expect(fetch(`${client.url}/health`)).rejects.toThrow();
      expect(await main.balance(wallet.account.address)).toBe(0n);
    });
  });
}

/** Changes the last hex digit. */
function flipLast(hex: string): string {
  return `${hex.slice(0, -1)}${hex.endsWith("0") ? "1" : "0"}`;
}
