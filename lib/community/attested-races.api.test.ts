import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { OpenDatabase } from "@/db/client";
import { createChallenge } from "@/lib/session/challenges";
import type { MemberSessionContext } from "@/lib/session/context";
import { startPostgres } from "@/lib/sql/testing";
import { fullOrShort } from "@/lib/testing/assure";
import { arenas } from "@/lib/testing/crowd";
import { allVerifiers } from "@/lib/testing/deployment";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { countryBody, kycBody, nullifier, type ProofBody, testTrust } from "@/lib/testing/proofs";
import { joinTopic } from "./index";
import { freshName, gate, makeTopic } from "./testing";

vi.setConfig({ testTimeout: 240_000 });

/**
 * One attestation proof handed in many times at once, to the functions themselves (HTTP happens to let one through
 * at a time).
 */
const postgres = await startPostgres();
/** More than other races have in short: two at once meet less often than a hundred. */
const rounds = fullOrShort(20, 5);

describe.each(arenas(postgres, "attested"))("$name", ({ open }) => {
  describe.skipIf(!open)("one proof", () => {
    let database: OpenDatabase;
    let h: Harness;
    let owner: TestUser;
    beforeAll(async () => {
      database = (await open?.()) ?? expect.fail();
      h = await createHarness({
        database,
        trust: testTrust,
        // The chain is slow, so that all pass the checks before anyone joins.
        verify: async () => {
          await new Promise((resolve) => setTimeout(resolve, 20));
          return "valid";
        },
        deployment: { verifiers: allVerifiers },
      });
      owner = await h.login(freshName("owner"));
    });
    afterAll(() => h.close());

    /** A new user with an open challenge. */
    async function visitor(): Promise<{ ctx: MemberSessionContext; nonce: string }> {
      const ctx = await h.memberContext((await h.login(freshName())).token);
      return { ctx, nonce: (await createChallenge(ctx)).nonce };
    }
    async function topic(type: "country" | "kyc") {
      const { id } = await makeTopic(owner);
      await gate(h.db, id, type, type === "country" ? { countries: ["KR", "JP"] } : {});
      return id;
    }
    const join = (ctx: MemberSessionContext, topicId: string, { proof, publicInputs }: ProofBody) =>
      joinTopic(ctx, { topicId, proof, publicInputs });

    /** Outcomes in order of the alphabet: the status of a join, or the code of its refusal. */
    async function outcomes(calls: readonly Promise<{ status: number }>[]): Promise<string[]> {
      const settled = await Promise.allSettled(calls);
      return settled
        .map((one) =>
          one.status === "fulfilled" ? String(one.value.status) : String(Object(one.reason).code),
        )
        .sort();
    }
    const membersOf = async (topicId: string) =>
      (await h.db.selectFrom("memberships").select("user_id").where("topic_id", "=", topicId).execute())
        .length;

    it("of a country lets one of two accounts into one topic", async () => {
      for (let round = 0; round < rounds; round += 1) {
        const id = await topic("country");
        const [ada, eve] = [await visitor(), await visitor()];
        const body = countryBody({ nullifier: nullifier(round + 1) });
        const calls = [ada, eve].map(({ ctx }) => join(ctx, id, body));
        expect(await outcomes(calls)).toEqual(["201", "proof_used"]);
        expect(await membersOf(id)).toBe(2);
      }
    });

    it("of a country lets one of a hundred accounts into one of ten topics", async () => {
      const topics = await Promise.all(Array.from({ length: 10 }, () => topic("country")));
      const crowd = await Promise.all(Array.from({ length: 100 }, visitor));
      const body = countryBody({ nullifier: nullifier(1000) });
      const calls = crowd.map(({ ctx }, i) => join(ctx, topics[i % 10] ?? "", body));
      expect(await outcomes(calls)).toEqual(["201", ...Array.from({ length: 99 }, () => "proof_used")]);
      const counts = await Promise.all(topics.map(membersOf));
      expect(counts.sort()).toEqual([...Array.from({ length: 9 }, () => 1), 2]);
    });

    it.each(["country", "kyc"] as const)("of one account (%s) enters one of two topics", async (type) => {
      for (let round = 0; round < rounds; round += 1) {
        const ids = [await topic(type), await topic(type)];
        const { ctx, nonce } = await visitor();
        // Another open challenge must not make it two.
        await createChallenge(ctx);
        const facts = { nullifier: nullifier(2000 + round) };
        const body = type === "country" ? countryBody(facts) : kycBody({ nonce, ...facts });
        const [entered, refused] = await outcomes(ids.map((id) => join(ctx, id, body)));
        expect(entered).toBe("201");
        // A request whose challenge is used up too is refused for that first.
        expect(["proof_used", "proof_wrong_challenge"]).toContain(refused);
        expect((await Promise.all(ids.map(membersOf))).sort()).toEqual([1, 2]);
        // What was proven now counts for the other topic as well.
        const retried = await outcomes(ids.map((topicId) => joinTopic(ctx, { topicId })));
        expect(retried).toEqual(["201", "already_member"]);
      }
    });

    it("per account, of one wallet: one account enters the topic", async () => {
      for (const type of ["country", "kyc"] as const) {
        const id = await topic(type);
        const crowd = await Promise.all(Array.from({ length: 20 }, visitor));
        const facts = { nullifier: nullifier(3000) };
        const calls = crowd.map(({ ctx, nonce }) =>
          join(ctx, id, type === "country" ? countryBody(facts) : kycBody({ nonce, ...facts })),
        );
        expect(await outcomes(calls)).toEqual(["201", ...Array.from({ length: 19 }, () => "proof_used")]);
        expect(await membersOf(id)).toBe(2);
      }
    });
  });
});

afterAll(() => postgres?.close());
