import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { Db } from "@/db/schema";
import type { Visibility } from "@/db/schema/community";
import { seededCategories } from "@/db/seeded-categories";
import { ApiError, createClient } from "@/lib/client";
import type { AcceptedProof, Freshness, ProofAcceptor, SubmittedProof } from "@/lib/context/proofs";
import { contract, type ErrorCode, type ProofType, type Role } from "@/lib/contract";
import type { DraftContent } from "@/lib/contract/drafts";
import { Refusal } from "@/lib/errors";
import type { Services } from "@/lib/runtime/assemble";
import { withServices } from "@/lib/runtime/services";
import { createHarness, type Harness, type HarnessOptions, type TestUser } from "@/lib/testing/harness";
import { dispatch } from "@/lib/testing/routes";

/** Helpers of the API tests of this folder. */

export const general = seededCategories[0]?.id ?? "";

/** A PNG of one pixel, as a data URI. */
export const onePixel =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

let names = 0;
/** Returns an unused nickname. */
export function freshName(prefix = "user"): string {
  names += 1;
  return `${prefix}_${names}`;
}

export async function signIn(h: Harness, prefix?: string): Promise<TestUser> {
  return await h.login(freshName(prefix));
}

/** Creates a topic as `owner` through the API. */
export async function makeTopic(owner: TestUser, visibility: Visibility = "public", title = "A topic") {
  const { topic } = await owner.api.call(contract.topics.create, { title, categoryId: general, visibility });
  return topic;
}

/** A draft as the composer keeps it, half written. */
export const draftTitled = (title: string): DraftContent => ({
  title,
  content: "<p>Half a thought",
  tags: ["tea"],
  videos: [],
  images: [],
  poll: { question: "", options: ["a", ""], multipleChoice: true, closesAt: "2027-01-01T09:00" },
});

export async function makePost(
  author: TestUser,
  topicId: string,
  title = "A post",
  content = "<p>Words.</p>",
) {
  const { post } = await author.api.call(contract.posts.create, { topicId, title, content });
  return post;
}

/** Adds a user to a topic without the API. */
export async function addTo(
  db: Db,
  topicId: string,
  user: TestUser,
  role: Exclude<Role, "owner"> = "member",
) {
  await db
    .insertInto("memberships")
    .values({ topic_id: topicId, user_id: user.userId, role, joined_at: new Date() })
    .execute();
  await db
    .updateTable("topics")
    .set((eb) => ({ member_count: eb("member_count", "+", 1) }))
    .where("id", "=", topicId)
    .execute();
}

/** A verification as an accepted proof of this user's account would have left behind. */
export async function verified(
  { services: { db, facts: seals } }: Pick<Harness, "services">,
  user: TestUser,
  facts: {
    readonly domain?: string;
    readonly provider?: "provider_a" | "provider_b";
    readonly circuit?: string;
    readonly countries?: string[];
    /** True unless said otherwise. */
    readonly countriesIncluded?: boolean;
    readonly identityHash?: string;
    readonly expiresAt?: Date;
  },
) {
  const circuit = facts.circuit ?? "oidc_domain_attestation";
  const sealed = await seals.seal(
    { userId: user.userId, circuit },
    {
      domain: facts.domain ?? null,
      countries: facts.countries ?? null,
      countriesIncluded: facts.countries ? (facts.countriesIncluded ?? true) : null,
    },
  );
  await db
    .insertInto("verifications")
    .values({
      user_id: user.userId,
      circuit,
      provider: facts.provider ?? null,
      ...sealed,
      identity_hash: facts.identityHash ?? randomUUID(),
      verified_at: new Date(),
      expires_at: facts.expiresAt ?? new Date(Date.now() + 3_600_000),
    })
    .execute();
}

/** Gates an existing topic without the API, so that a test needs no proof to make one. */
export async function gate(
  db: Db,
  topicId: string,
  proofType: ProofType,
  details: { readonly domain?: string; readonly countries?: string[]; readonly excluded?: string[] } = {},
) {
  await db
    .updateTable("topics")
    .set({
      proof_type: proofType,
      required_domain: details.domain ?? null,
      allowed_countries: details.countries ?? null,
      excluded_countries: details.excluded ?? null,
    })
    .where("id", "=", topicId)
    .execute();
}

/** Status, code and field of a refusal; a call that was not refused fails the test. */
export async function refusalOf(call: Promise<unknown>) {
  try {
    await call;
  } catch (error) {
    if (error instanceof ApiError)
      return { status: error.status, code: error.code, field: error.body?.field };
    throw error;
  }
  throw new Error("the call was not refused");
}

/** Returns typed calls as this user, with some services replaced. */
export function clientWith(h: Harness, user: TestUser, changes: Partial<Services>) {
  return createClient({
    baseUrl: "http://localhost:3000",
    token: () => user.token,
    fetch: async (input, init) =>
      await withServices({ ...h.services, ...changes }, () => dispatch(new Request(input, init))),
  });
}

/** What a proof says in tests of gates; what makes a proof acceptable is tested where it is decided. */
export type Said = Partial<
  Pick<AcceptedProof, "circuit" | "provider" | "domain" | "countries" | "countriesIncluded" | "identityHash">
>;

/** Accepts any proof as saying this, or refuses it with this code, and notes what it was asked. */
export function acceptorOf(says: Said | ErrorCode) {
  const asked: { submitted: SubmittedProof; freshness: Freshness }[] = [];
  let consumed = 0;
  const acceptProof: ProofAcceptor = async (submitted, freshness) => {
    asked.push({ submitted, freshness });
    if (typeof says === "string") throw new Refusal(says, { message: "The test refuses this proof." });
    return {
      circuit: "oidc_domain_attestation",
      provider: null,
      domain: null,
      countries: null,
      countriesIncluded: says.countries ? true : null,
      identityHash: randomUUID(),
      ...says,
      consume: async () => {
        consumed += 1;
      },
    };
  };
  return { acceptProof, asked, timesConsumed: () => consumed };
}

/** A proof as it travels; its bytes mean nothing to `acceptorOf`. */
export const someProof = { proof: "0x1234", publicInputs: [`0x${"00".repeat(32)}`] };

/** How many members a topic says it has, and how many it has. */
export async function membersOf(db: Db, topicId: string): Promise<{ counted: number; rows: number }> {
  const { rows } = await sql<{ counted: number; rows: number }>`
    select member_count as counted,
      (select count(*)::int from memberships where topic_id = t.id) as rows
    from topics t where id = ${topicId}`.execute(db);
  return rows[0] ?? { counted: -1, rows: -1 };
}

/** A harness and the people of a staffed topic, for tests of what each of them may do. */
export async function createCast(options: HarnessOptions = {}) {
  const h = await createHarness(options);
  const people = {
    owner: await signIn(h, "owner"),
    admin: await signIn(h, "admin"),
    member: await signIn(h, "member"),
    outsider: await signIn(h, "outsider"),
  };
  /** A topic of the owner with the admin and the member in it. */
  async function place(visibility: Visibility = "public") {
    const { id } = await makeTopic(people.owner, visibility);
    await addTo(h.db, id, people.admin, "admin");
    await addTo(h.db, id, people.member);
    return id;
  }
  return { h, ...people, place };
}
export type Cast = Awaited<ReturnType<typeof createCast>>;
