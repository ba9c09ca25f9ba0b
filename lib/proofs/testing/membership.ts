import { readFileSync } from "node:fs";
import path from "node:path";
import { MEMBERSHIP_POINTS, MembershipEngine } from "../anonymous/engine";
import { leafOf } from "../anonymous/hash";
import type { Circumstances, Member } from "../anonymous/statement";
import { CrowdTree } from "../anonymous/tree";
import { POINT_BYTES } from "../ceremony";
import { CEREMONY_CRS } from "./crs";

const ARTIFACT = path.resolve(import.meta.dirname, "../../../circuits/artifacts/anonymous_membership");

/** An engine on the committed circuit, its key and the real points. @param work what it is for: only proving needs them all */
export function testEngine(work: "proving" | "verifying" = "proving"): MembershipEngine {
  const points = readFileSync(path.join(CEREMONY_CRS, "bn254_g1.dat"));
  return new MembershipEngine({
    circuit: JSON.parse(readFileSync(`${ARTIFACT}.json`, "utf8")),
    verificationKey: new Uint8Array(readFileSync(`${ARTIFACT}.vk`)),
    points: new Uint8Array(points.subarray(0, (work === "proving" ? MEMBERSHIP_POINTS : 1) * POINT_BYTES)),
    threads: work === "proving" ? 2 : 1,
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
