import { readFile } from "node:fs/promises";
import path from "node:path";
import { Noir } from "@noir-lang/noir_js";
import { proverOf } from "@/lib/proofs/anonymous/membership";
import { openMembershipVerifier } from "@/lib/proofs/anonymous/open-verifier";
import { circuitInputs, publicWords, sayingOf } from "@/lib/proofs/anonymous/statement";
import { CEREMONY_CRS } from "@/lib/proofs/testing/crs";
import { membershipCircuit, testEngine, testMember } from "@/lib/proofs/testing/membership";
import { bareProver, ensureKeys, ensureSrs, loadArtifact, median } from "@/prover/barretenberg";
import { ROOT } from "../../stack/settings";
import type { About } from "../report";
import type { Row } from "../row";
import { inBrowserRows } from "./in-browser";

const MAX_GATES = 8_192;
const MAX_NATIVE_MS = 500;
const MAX_VERIFY_MS = 25;
const NAME = "anonymous_membership";
const ARTIFACTS = path.join(ROOT, "circuits", "artifacts");

/** Measures proofs of membership: natively, their verification, and in Chromium from the press of a button on. */
export async function* benchAnonymous(rounds: number, about: About): AsyncGenerator<Row[]> {
  about.notes.push(
    "Native is the bare `bb prove` command with the key given. In the browser, a proof is what the page waits for its worker: the crowd's tree, the witness and the proof, warm. The page is the app's own; for two threads its document gets the headers that isolate it. \"From the press to posted\" ends with the answer of the API.",
  );
  yield [{ name: "gates", value: await gates(), unit: "gates", limit: { most: MAX_GATES } }];
  yield [await nativeRow(rounds)];
  yield [await verificationRow(4 * rounds)];
  yield* inBrowserRows(rounds);
}

async function gates(): Promise<number> {
  const text = await readFile(path.join(ARTIFACTS, "manifest.json"), "utf8");
  const manifest: Record<string, { gates: number }> = JSON.parse(text);
  return manifest[NAME]?.gates ?? Number.NaN;
}

async function nativeRow(rounds: number): Promise<Row> {
  const circuit = await loadArtifact(path.join(ARTIFACTS, `${NAME}.json`));
  const srs = await ensureSrs({ points: MAX_GATES, path: CEREMONY_CRS });
  const keys = await ensureKeys({ artifact: circuit, srs, threads: 2 });
  const { of, member } = await testMember();
  const { witness } = await new Noir(membershipCircuit()).execute(circuitInputs(of, member));
  const bare = await bareProver({ circuit, keys, srs, witness });
  try {
    const times = await timed(rounds, () => bare.prove(2));
    return { name: "proof, native", value: median(times), unit: "ms", limit: { most: MAX_NATIVE_MS } };
  } finally {
    await bare.close();
  }
}

async function verificationRow(rounds: number): Promise<Row> {
  const { of, member } = await testMember();
  const engine = testEngine();
  const proof = await proverOf(engine)(of, member);
  await engine.close();
  const words = publicWords(of, sayingOf(of, member));
  const verifier = openMembershipVerifier();
  try {
    const verify = async () => {
      if (!(await verifier.verify(proof, words))) throw new Error("the proof does not hold");
    };
    await verify();
    const times = await timed(rounds, verify);
    return { name: "verification", value: median(times), unit: "ms", limit: { most: MAX_VERIFY_MS } };
  } finally {
    await verifier.close();
  }
}

async function timed(rounds: number, work: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const started = performance.now();
    await work();
    times.push(performance.now() - started);
  }
  return times;
}
