import { readFileSync } from "node:fs";
import path from "node:path";
import type { CompiledCircuit } from "@noir-lang/noir_js";
import { MembershipEngine } from "../anonymous/engine";
import { leafOf } from "../anonymous/hash";
import type { Circumstances, Member } from "../anonymous/statement";
import { CrowdTree } from "../anonymous/tree";
import { MEMBERSHIP_PREFIX, POINT_BYTES } from "../ceremony";
import { fromBase64 } from "../packed";
import { CEREMONY_CRS } from "./crs";

const ARTIFACT = path.resolve(import.meta.dirname, "../../../circuits/artifacts/anonymous_membership");

/** The committed circuit. */
export function membershipCircuit(): CompiledCircuit {
  return JSON.parse(readFileSync(`${ARTIFACT}.json`, "utf8"));
}

/** An engine on the committed circuit, its key and the real points. */
export function testEngine(): MembershipEngine {
  return new MembershipEngine(() => {
    const points = readFileSync(path.join(CEREMONY_CRS, "bn254_g1.dat"));
    return {
      circuit: membershipCircuit(),
      verificationKey: fromBase64(JSON.parse(readFileSync(`${ARTIFACT}.vk.json`, "utf8"))),
      points: new Uint8Array(points.subarray(0, MEMBERSHIP_PREFIX.points * POINT_BYTES)),
      threads: 2,
    };
  });
}

/** A member of a crowd of four, and the circumstances of an act of theirs. */
export async function testMember(): Promise<{ of: Circumstances; member: Member }> {
  const [secret, topic] = [123_456_789n, 77n];
  const crowd = await CrowdTree.of([1n, 2n, secret, 3n].map((one) => leafOf(one, topic)));
  return {
    of: {
      root: crowd.root,
      topic,
      ...{ epoch: 20_000n, limit: 5, scope: 991n, signal: 424_242n, week: 2_900n },
      bans: [{ week: 2_899n, tag: 5n }],
    },
    member: { secret, crowd, slot: 2, blinding: 987_654_321n },
  };
}
