import { CompiledQuery } from "kysely";
import { toHex } from "viem";
import { afterAll, beforeAll, expect, it } from "vitest";
import { emptyTemplate } from "@/lib/testing/empty";
import { sqlRunner } from "../store/boss";
import { openStore, type Store } from "../store/index";
import { ProofLine } from "./line";

let store: Store;
beforeAll(async () => {
  store = await openStore({ url: "pglite:memory", template: await emptyTemplate() });
});
afterAll(async () => {
  await store.close();
});

/** All jobs that are kept. */
const everything = CompiledQuery.raw("select data from pgboss.job union all select data from pgboss.archive");
const id = (n: number) => toHex(n, { size: 32 });

it("does its own work in order, and what is passed to it", async () => {
  const [here, there] = [new ProofLine(store, "here", 1), new ProofLine(store, "there", 1)];
  const taken: unknown[] = [];
  await here.open(async () => undefined);
  await there.open(async (handed) => void taken.push(handed));
  const done: number[] = [];
  await Promise.all([1, 2, 3].map((n) => here.run(id(n), async () => void done.push(n))));
  expect(done).toEqual([1, 2, 3]);
  await expect(here.run(id(4), () => Promise.reject(new Error("bb refused")))).rejects.toThrow("bb refused");
  await here.pass(sqlRunner(store.payments.db), "there", { paymentId: id(5), sealed: "sealed" });
  await expect.poll(() => taken, { timeout: 5_000 }).toEqual([{ paymentId: id(5), sealed: "sealed" }]);
  await Promise.all([here.close(), there.close()]);
});

it("leaves nothing behind of a process that died with sealed inputs in its queue", async () => {
  const line = new ProofLine(store, "alive", 1);
  const dead = new ProofLine(store, "dead", 1);
  await line.ensure();
  await dead.ensure();
  await line.pass(sqlRunner(store.payments.db), "dead", {
    paymentId: id(6),
    sealed: "secret-for-a-dead-key",
  });
  const left = async () => JSON.stringify((await store.payments.db.executeQuery(everything)).rows);
  expect(await left()).toContain("secret-for-a-dead-key");
  await line.removeAbandoned(["alive"]);
  expect(await left()).not.toContain("secret-for-a-dead-key");
  expect((await store.boss.getQueues()).map(({ name }) => name)).toContain("prove-alive");
  // Its own queue may be asked for again.
  await line.ensure();
});
