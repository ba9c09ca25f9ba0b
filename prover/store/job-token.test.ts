import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDatabase, type Database, migrate } from "@/lib/sql/index";
import { emptyTemplate } from "@/lib/testing/empty";
import { jobToken, jobTokenHash } from "./job-token";
import { migrations, proverRelease } from "./migrations";
import { Payments } from "./payments";
import type { ProverSchema } from "./schema";

const secret = Buffer.alloc(32, 7);
const id = `0x${"01".repeat(32)}` as const;
const inputHash = `0x${"02".repeat(32)}`;

describe("a job token", () => {
  it("is one for the same payment and inputs, and another for any other, or another secret", () => {
    const token = jobToken(secret, id, inputHash);
    expect(jobToken(secret, id, inputHash)).toBe(token);
    expect(token).toMatch(/^[\w-]{43}$/);
    const others = [
      jobToken(Buffer.alloc(32, 8), id, inputHash),
      jobToken(secret, inputHash, inputHash),
      jobToken(secret, id, id),
    ];
    expect(new Set([token, ...others]).size).toBe(4);
  });
});

describe("payments F11: rows with a token in clear, as an earlier release wrote them", () => {
  // Random bytes in base64url were all that the rows had; the hash is of their UTF-8.
  const old = "Zm9yIGFueWJvZHkgd2hvIHJlYWRzIHRoZSB0YWJsZQ-_";
  let database: Database<ProverSchema>;
  let payments: Payments;
  const fileOf = async () =>
    (await sql<{ file: string }>`select pg_relation_filepath('payment') as file`.execute(database.db)).rows[0]
      ?.file;

  beforeAll(async () => {
    database = await createDatabase<ProverSchema>({ url: "pglite:memory", template: await emptyTemplate() });
    payments = new Payments(database.db, secret);
    const earlier = Object.entries(migrations).filter(([name]) => name < "007");
    await migrate(database.db, { ...proverRelease, migrations: Object.fromEntries(earlier) });
    await sql`insert into payment (id, network, chain_id, asset, payer, pay_to, amount, settlement, circuit,
        input_hash, state, from_block, job_token, proof, public_inputs, timing, created_at, settled_at, proven_at)
      values (${id}, 'eip155:1', 1, '0x', '0x', '0x', '100000', 'payee', 'oidc_domain_attestation',
        ${inputHash}, 'proven', 1, ${old}, '0xabcd', '[]', '{}', now(), now(), now())`.execute(database.db);
    const before = await fileOf();
    await migrate(database.db, proverRelease);
    // No row of before lies on in the table's file.
    expect(await fileOf()).not.toBe(before);
  });
  afterAll(async () => await database.close());

  it("have its hash alone, and answer to it", async () => {
    const { rows } = await sql<Record<string, unknown>>`select * from payment`.execute(database.db);
    expect(JSON.stringify(rows)).not.toContain(old);
    expect(rows).toMatchObject([{ id, job_token_hash: jobTokenHash(old), proof: "0xabcd" }]);
    expect((await payments.findByToken(old))?.row.id).toBe(id);
    expect(await payments.findByToken(jobTokenHash(old))).toBeUndefined();
  });

  it("answer to the token of a resend instead, once there was one", async () => {
    const { row } = (await payments.find(id)) ?? expect.fail();
    const token = await payments.tokenOf(row);
    expect(token).toBe(jobToken(secret, id, inputHash));
    expect((await payments.findByToken(token))?.row.id).toBe(id);
    expect(await payments.findByToken(old)).toBeUndefined();
    // Somebody who read the row before its inputs were replaced changes nothing.
    await payments.tokenOf({ ...row, input_hash: "0x" });
    expect((await payments.findByToken(token))?.row.id).toBe(id);
  });

  it("do not become credits when their proof was given to somebody", async () => {
    expect(await payments.markDelivered(id)).toBe(true);
    expect(await payments.removeProofs(new Date(Date.now() + 1))).toBe(1);
    expect((await payments.find(id))?.row).toMatchObject({ state: "proven", proof: null });
    expect(await database.db.selectFrom("credit").selectAll().execute()).toEqual([]);
  });
});
