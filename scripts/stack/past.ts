import { sql, type Updateable } from "kysely";
import { type OpenDatabase, openDatabase } from "@/db/client";
import type { Database } from "@/db/schema";
import type { createClient } from "@/lib/client";
import { crowdOf } from "@/lib/community/anonymous/testing";
import { contract } from "@/lib/contract";
import { proverOf } from "@/lib/proofs/anonymous/membership";
import { testEngine } from "@/lib/proofs/testing/membership";
import { createHarness, type Harness } from "@/lib/testing/harness";
import { PAST } from "./past-content";
import { homePaths } from "./settings";

type Api = ReturnType<typeof createClient>;

const gates = {
  domain: { proof_type: "workspace", required_domain: PAST.sealed.domain },
  country: { proof_type: "country", allowed_countries: ["FR", "DE", "NL"] },
  kyc: { proof_type: "kyc" },
} satisfies Record<keyof typeof PAST.gates, Updateable<Database["topics"]>>;

const DAY_MS = 86_400_000;

/**
 * Writes a past into an installation before its first start: a public topic with a post that is two days old, a letter of
 * one of a crowd, and topics with gates. On-chain records need posts older than an hour, and only one process can open the
 * embedded database. The API itself writes it, with a clock that is two days slow.
 */
export async function writePast(home: string): Promise<void> {
  let moment = new Date(Date.now() - 2 * DAY_MS);
  const database = await openDatabase({ url: `pglite:${homePaths(home).appDatabase}` });
  const past = await createHarness({ database, now: () => moment, env: { ANONYMOUS_MINIMUM: "2" } });
  try {
    const { api } = await past.login(PAST.nickname);
    const { categories } = await api.call(contract.categories.list, {});
    const { topic } = await api.call(contract.topics.create, {
      title: PAST.topic,
      categoryId: categories[0]?.id ?? "",
    });
    await api.call(contract.posts.create, {
      topicId: topic.id,
      title: PAST.post,
      content: `<p>That the small ${PAST.word} stays. Somebody promised it the day before yesterday.</p>`,
    });
    await past.idle();
    await letter(past, api, categories[0]?.id ?? "", (at) => {
      moment = new Date(at);
    });
    await gatedTopics(database, api, categories[0]?.id ?? "");
    for (const nickname of PAST.sealed.nicknames) {
      await sealed(database, (await past.login(nickname)).userId, moment);
    }
  } finally {
    await past.close();
  }
}

/** Writes a letter of one of a crowd of two, with a real proof. */
async function letter(past: Harness, api: Api, categoryId: string, setClock: (at: number) => void) {
  const { topic } = await api.call(contract.topics.create, { title: PAST.letters.topic, categoryId });
  const [author] = await crowdOf(past, topic.id, 2, setClock);
  const engine = testEngine();
  const content = "<p>The small room is not small. It is <strong>tiny</strong>.</p>";
  await author?.writePost(0, { title: PAST.letters.title, content }, { prover: proverOf(engine) });
  await engine.close();
}

/** Creates public topics with every kind of gate, for display. The API would require a proof from their founder. */
async function gatedTopics({ db }: OpenDatabase, api: Api, categoryId: string): Promise<void> {
  for (const gate of ["domain", "country", "kyc"] as const) {
    const { topic } = await api.call(contract.topics.create, { title: PAST.gates[gate], categoryId });
    await db.updateTable("topics").set(gates[gate]).where("id", "=", topic.id).execute();
  }
}

/**
 * Inserts an accepted proof that stays valid for some weeks. Unencrypted, as before migration 011a: this process lacks
 * the installation's secret, and the app encrypts such rows when it starts.
 */
async function sealed({ db }: OpenDatabase, userId: string, moment: Date): Promise<void> {
  await sql`insert into verifications (user_id, circuit, provider, domain, identity_hash, verified_at, expires_at)
    values (${userId}, 'oidc_domain_attestation', 'provider_a', ${PAST.sealed.domain}, ${`of nobody, ${userId}`},
      ${moment}, ${new Date(moment.getTime() + 28 * DAY_MS)})`.execute(db);
}
