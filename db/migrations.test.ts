import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createDatabase, migrate, type Database as Opened } from "@/lib/sql";
import { startPostgres } from "@/lib/sql/testing";
import { emptyTemplate } from "@/lib/testing/empty";
import { communityRelease, migrations, renamedMigrations } from "./migrations";
import type { Database } from "./schema";

// PGlite starts a database engine, the other case a server: slow on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const postgres = await startPostgres();
afterAll(() => postgres?.close());

describe.each([
  ["PGlite", async (): Promise<string> => "pglite:memory"],
  [
    postgres ? "PostgreSQL" : "PostgreSQL (skipped: no `postgres` program on this machine)",
    postgres && ((): Promise<string> => postgres.createDatabase("migrations")),
  ],
] as const)("003_add_excluded_countries on %s", (_, url) => {
  describe.skipIf(!url)("with rows of before", () => {
    let database: Opened<Database>;

    beforeAll(async () => {
      database = await createDatabase<Database>({
        url: (await url?.()) ?? expect.fail(),
        template: await emptyTemplate(),
      });
      const before = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < "003"));
      await migrate(database.db, { ...communityRelease, migrations: before });
      await run(`insert into users (id, nickname, nickname_key) values ('u', 'u', 'u')`);
      await run(
        topicOf({ invite_code: "'AAAAAAAA'", proof_type: "'country'", allowed_countries: "'{KR,JP}'" }),
      );
      await run(topicOf({ invite_code: "'BBBBBBBB'", proof_type: "'none'" }));
      await run(verificationOf({ circuit: "'partner_country_attestation'", countries: "'{KR}'" }));
      await run(verificationOf({ circuit: "'oidc_domain_attestation'", countries: "null" }));
      await migrate(database.db, communityRelease);
    });
    afterAll(() => database.close());

    const run = (statement: string) => sql.raw(statement).execute(database.db);

    function insert(table: string, columns: Record<string, string>): string {
      return `insert into ${table} (${Object.keys(columns).join()}) values (${Object.values(columns).join()})`;
    }
    const topicOf = (columns: Record<string, string>) =>
      insert("topics", {
        title: "'T'",
        creator_id: "'u'",
        visibility: "'public'",
        score_at: "now()",
        last_activity_at: "now()",
        updated_at: "now()",
        ...columns,
      });
    const verificationOf = (columns: Record<string, string>) =>
      insert("verifications", {
        user_id: "'u'",
        identity_hash: "'i'",
        verified_at: "now()",
        expires_at: "now()",
        ...columns,
      });

    it("keeps topics, and verifications as lists of where the holder lives", async () => {
      const topics = await database.db
        .selectFrom("topics")
        .select(["proof_type", "allowed_countries", "excluded_countries"])
        .orderBy("invite_code")
        .execute();
      expect(topics).toEqual([
        { proof_type: "country", allowed_countries: ["KR", "JP"], excluded_countries: null },
        { proof_type: "none", allowed_countries: null, excluded_countries: null },
      ]);
      const kept = await database.db
        .selectFrom("verifications")
        .select(["countries", "countries_included"])
        .orderBy("circuit", "desc")
        .execute();
      expect(kept).toEqual([
        { countries: ["KR"], countries_included: true },
        { countries: null, countries_included: null },
      ]);
    });

    it("lets a country gate have one list, and other gates none", async () => {
      const gate = (type: string, allowed: string, excluded: string, more: Record<string, string> = {}) =>
        run(
          topicOf({
            invite_code: "substr(gen_random_uuid()::text, 1, 8)",
            proof_type: `'${type}'`,
            allowed_countries: allowed,
            excluded_countries: excluded,
            ...more,
          }),
        );
      await gate("country", "'{KR}'", "null");
      await gate("country", "null", "'{KP}'");
      await gate("kyc", "null", "null");
      for (const [type, allowed, excluded] of [
        ["country", "'{KR}'", "'{KP}'"],
        ["country", "null", "null"],
        ["kyc", "'{KR}'", "null"],
        ["kyc", "null", "'{KP}'"],
        ["none", "'{KR}'", "'{KP}'"],
      ] as const) {
        const made = gate(type, allowed, excluded);
        await expect(made, `${type} ${allowed} ${excluded}`).rejects.toThrow("topics_country_gate");
      }
      // The other check of 002 still applies.
      await expect(gate("workspace", "null", "null")).rejects.toThrow("topics_check1");
      await gate("workspace", "null", "null", { required_domain: "'example.com'" });
    });

    it("keeps a list and its side together", async () => {
      const keep = (countries: string, included: string) =>
        run(verificationOf({ circuit: "'c'", countries, countries_included: included }));
      await keep("'{KP}'", "false");
      await keep("null", "null");
      await expect(keep("'{KP}'", "null")).rejects.toThrow("verifications_countries");
      await expect(keep("null", "true")).rejects.toThrow("verifications_countries");
    });
  });
});

it("was renamed in the order in which it had run", () => {
  const renamed = Object.entries(renamedMigrations).sort(([a], [b]) => (a < b ? -1 : 1));
  expect(renamed.map(([, name]) => name)).toEqual(Object.keys(migrations).slice(0, renamed.length));
});
