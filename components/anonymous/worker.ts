import type { CompiledCircuit } from "@noir-lang/noir_js";
import artifact from "@/circuits/artifacts/anonymous_membership.json" with { type: "json" };
import { browserStore, sha256 } from "@/components/proof/browser/store";
import { MembershipEngine } from "@/lib/proofs/anonymous/engine";
import { BannedError, membershipOf, proverOf, unlinkedMembershipOf } from "@/lib/proofs/anonymous/membership";
import { membershipKey, openMembershipVerifier } from "@/lib/proofs/anonymous/open-verifier";
import { NotInCrowdError } from "@/lib/proofs/anonymous/statement";
import { MEMBERSHIP_PREFIX, POINT_BYTES } from "@/lib/proofs/ceremony";
import type { Reply, Task } from "./engine";

/** The worker that proves memberships, and checks what others proved. Its file's CSP applies to it (next.config.ts). */

const POINTS = "membership/points";
const verifier = openMembershipVerifier("here");
let engine: Promise<MembershipEngine> | undefined;

async function open(threads: number): Promise<MembershipEngine> {
  const points = await ceremonyPoints();
  // JSON has wider types than noir_js, whose compiler wrote it.
  const circuit: CompiledCircuit = JSON.parse(JSON.stringify(artifact));
  return new MembershipEngine(() => ({
    ...{ circuit, verificationKey: membershipKey(), points, threads, backend: "here" },
  }));
}

/** Returns the points that the circuit takes, which this browser keeps. @throws Error when they are not the ceremony's */
async function ceremonyPoints(): Promise<Uint8Array> {
  const kept = await browserStore.read(POINTS);
  if (kept?.length === MEMBERSHIP_PREFIX.points * POINT_BYTES) return kept;
  const response = await fetch(MEMBERSHIP_PREFIX.path, { credentials: "omit" });
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (!response.ok || (await sha256(bytes)) !== MEMBERSHIP_PREFIX.sha256)
    throw new Error("the ceremony's points are not there");
  await browserStore.write(POINTS, bytes);
  return bytes;
}

async function answer(task: Task): Promise<Reply["value"]> {
  if (task.kind === "verify") return await verifier.verify(task.proof, task.words);
  engine ??= open(task.threads);
  engine.catch(() => {
    engine = undefined;
  });
  if (task.kind === "warm") {
    await (await engine).prepare();
    return true;
  }
  const prove = proverOf(await engine);
  return task.kind === "unlinked"
    ? await unlinkedMembershipOf(task.statement, task.terms, task.acting, prove)
    : await membershipOf(task.act, task.terms, task.acting, prove);
}

function problemOf(error: unknown): Reply["problem"] {
  if (error instanceof BannedError) return "banned";
  return error instanceof NotInCrowdError ? "not-in-crowd" : "failed";
}

self.addEventListener("message", async ({ data }: MessageEvent<Task>) => {
  const { id } = data;
  try {
    self.postMessage({ id, value: await answer(data), problem: null } satisfies Reply);
  } catch (error) {
    // Its message could quote what stays here.
    self.postMessage({ id, value: null, problem: problemOf(error) } satisfies Reply);
  }
});
