import { type RawBuilder, sql } from "kysely";
import type { Context } from "@/lib/context";
import { gateCircuit, type ProvenFacts } from "@/lib/policy/gate";
import { circuitIds } from "@/lib/proofs/deployment";
import type { KeptProof } from "@/lib/session/sign-in";

/** A verification of the last 30 days. */
export interface StoredProof extends KeptProof {
  readonly provenAt: Date;
  readonly expiresAt: Date;
}

export interface StoredProofsOptions {
  /** Of this circuit only. */
  readonly circuit?: KeptProof["circuit"];
  /** Proven later than this. */
  readonly after?: Date;
}

/** Returns a user's unexpired verifications, latest first. */
export async function storedProofs(
  { db, facts, now }: Pick<Context, "db" | "facts" | "now">,
  userId: string,
  { circuit, after = new Date(0) }: StoredProofsOptions = {},
): Promise<readonly StoredProof[]> {
  const rows = await db
    .selectFrom("verifications")
    .select(["circuit", "provider", "sealed", "identity_hash", "verified_at", "expires_at"])
    .where("user_id", "=", userId)
    .where("expires_at", ">", now())
    .where("verified_at", ">", after)
    .$if(circuit !== undefined, (query) => query.where("circuit", "=", circuit ?? ""))
    .orderBy("verified_at", "desc")
    .execute();
  const opened = rows.map(async ({ circuit: name, provider, sealed, ...row }) => {
    const its = circuitIds.find((id) => id === name);
    const holder = its && (await facts.open({ userId, circuit: its }, sealed));
    if (!holder) return [];
    const { identity_hash: identityHash, verified_at: provenAt, expires_at: expiresAt } = row;
    return [
      { ...holder, circuit: its, provider: knownProvider(provider), identityHash, provenAt, expiresAt },
    ];
  });
  return (await Promise.all(opened)).flat();
}

function knownProvider(provider: string | null): KeptProof["provider"] {
  return provider === "provider_a" || provider === "provider_b" ? provider : null;
}

/** SQL: whether a proof opens the gate of topic `t`, exactly as `gateDecision` decides (lib/policy/gate.ts). */
export function opensGateOf(proof: ProvenFacts): RawBuilder<boolean> {
  const { circuit, provider, domain, countries, countriesIncluded } = proof;
  if (circuit === gateCircuit("kyc")) return sql`t.proof_type = 'kyc'`;
  if (circuit === gateCircuit("workspace") && domain !== null) {
    const types = ["workspace", ...(provider === "provider_a" ? ["workspace_a"] : [])];
    if (provider === "provider_b") types.push("workspace_b");
    return sql`(t.proof_type = any(${types}::text[]) and t.required_domain = ${domain.toLowerCase()})`;
  }
  if (circuit === gateCircuit("country") && countries !== null && countriesIncluded !== null) {
    const list = sql`${[...countries]}::text[]`;
    if (!countriesIncluded) return sql`(t.proof_type = 'country' and t.excluded_countries <@ ${list})`;
    if (countries.length === 0) return sql`false`;
    return sql`(t.proof_type = 'country' and (t.allowed_countries @> ${list}
      or (t.excluded_countries is not null and not t.excluded_countries && ${list})))`;
  }
  return sql`false`;
}
