import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { bytesToHex, type Hex } from "viem";
import { startLocalChain } from "@/contracts/local-chain";
import { type CircuitId, type CircuitName, circuitNames } from "@/lib/proofs/deployment";
import { PublicInputError } from "@/lib/proofs/errors";
import { publicInputLayout } from "@/lib/proofs/registry";
import { circuitWords } from "@/lib/proofs/signed-digest";
import { attestedCircuits } from "@/lib/proofs/trust/attesters";
import { verifyOnChain } from "@/lib/proofs/verify";
import {
  CircuitArtifact,
  type CircuitKeys,
  createRunner,
  ensureKeys,
  ensureSrs,
  type Proof,
  ProverError,
  type PublicInputLayout,
  type Runner,
} from "@/prover/barretenberg";
import { type DeployedVerifier, deployVerifier } from "@/prover/barretenberg/deploy";
import { committedArtifact } from "@/scripts/circuits/builds";
import { compileCircuit } from "@/scripts/circuits/compile";
import type { Build } from "@/scripts/circuits/constants";
import { Circuit } from "../circuit";
import { manifest } from "../manifest";

/** Something that can be proven and verified on the test chain. */
export interface Subject {
  name: string;
  circuit: Circuit;
  artifact: CircuitArtifact;
  layout: PublicInputLayout;
  keys: CircuitKeys;
  contracts: DeployedVerifier;
}

/** Where a proof is shown: the front, or the generated verifier behind it. */
type At = "front" | "verifier";

/** Real keys, real proofs, and real verifiers on a chain of their own, with the development setup data. */
export interface World {
  subjects: Map<string, Subject>;
  /**
   * Proves a witness, which need not satisfy the circuit. The words are the layout's. Undefined when bb gave no proof:
   * it refused the witness or died of it, so no verifier was asked.
   * @throws ProverError when that says nothing about the witness: out of time or memory
   */
  prove(subject: Subject, witness: Uint8Array): Promise<Proof | undefined>;
  /** Whether the contract says yes. @throws VerificationUnavailableError when it could not be asked */
  verify(subject: Subject, at: At, proof: Uint8Array, words: readonly Hex[]): Promise<boolean>;
  close(): Promise<void>;
}

/** A circuit and its layout, before there are keys. */
export type Plan = Pick<Subject, "name" | "circuit" | "artifact" | "layout">;

/** Every word may be any field element, and the front appends none. */
const plainLayout = (circuit: Circuit): PublicInputLayout => ({
  count: circuit.program.publicInputs.length,
  byteWords: [],
});

/** A committed artifact. */
export function plannedBuild(id: CircuitName, build: Build): Plan {
  const committed = committedArtifact(id, build);
  const name = `${id} ${build}`;
  const circuit = new Circuit(committed);
  return {
    name,
    circuit,
    artifact: CircuitArtifact.parse({ ...committed, name }),
    layout: id === "anonymous_membership" ? plainLayout(circuit) : publicInputLayout(id),
  };
}

/** A circuit of a few lines, to show what the backend makes of one kind of constraint. */
export async function plannedProbe(name: string, source: string): Promise<Plan> {
  const root = await mkdtemp(path.join(os.tmpdir(), "parley-probe-"));
  try {
    await mkdir(path.join(root, "bin", name, "src"), { recursive: true });
    const manifest = `[package]\nname = "${name}"\ntype = "bin"\nauthors = [""]\n[dependencies]\n`;
    await writeFile(path.join(root, "bin", name, "Nargo.toml"), manifest);
    await writeFile(path.join(root, "bin", name, "src", "main.nr"), source);
    const artifact = await compileCircuit(root, name);
    const circuit = new Circuit(artifact);
    return {
      name,
      circuit,
      artifact: CircuitArtifact.parse(artifact),
      layout: plainLayout(circuit),
    };
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

/** Points for the largest committed circuit: keys are cached for the same setup data as the rest of the repository's. */
function setupPoints(): number {
  const gates = Object.values(manifest()).map((entry) => entry.gates);
  return 2 ** Math.ceil(Math.log2(Math.max(...gates)));
}

/** Makes setup data and keys (both cached), deploys verifiers and starts bb. */
export async function worldOf(plans: readonly Plan[]): Promise<World> {
  const keys = new Map<string, CircuitKeys>();
  const srs = await ensureSrs({ points: setupPoints(), require: "development" });
  for (const { artifact } of plans) keys.set(artifact.name, await ensureKeys({ artifact, srs }));
  const chain = await startLocalChain();
  const subjects = new Map<string, Subject>();
  for (const plan of plans) {
    const found = keys.get(plan.name);
    if (!found) throw new Error(`no keys for ${plan.name}`);
    const contracts = await deployVerifier(chain.wallet(0), chain.client, found, plan.layout);
    subjects.set(plan.name, { ...plan, keys: found, contracts });
  }
  const chains = [chain.description];
  const runner: Runner = createRunner({ srs, circuits: [...subjects.values()] });
  return {
    subjects,
    async prove({ name, layout }, witness) {
      try {
        const { proof, publicInputs } = await runner.prove({ circuit: name, witness });
        return { proof, publicInputs: publicInputs.slice(0, layout.count) };
      } catch (error) {
        if (error instanceof ProverError && (error.code === "rejected" || error.code === "crashed")) return;
        throw error;
      }
    },
    async verify(subject, at, proof, words) {
      // To the front all others are alike: it appends no words to theirs.
      const circuit: CircuitId =
        attestedCircuits.find((one) => one === idOf(subject)) ?? "oidc_domain_attestation";
      const verifiers = {
        [circuit]: { chainId: chain.id, address: subject.contracts[at], vkHash: subject.keys.vkHash },
      };
      const publicInputs = at === "front" ? words : behindFront(circuit, words);
      const request = { circuit, proof: bytesToHex(proof), publicInputs };
      return (await verifyOnChain({ chains, verifiers }, request)) === "valid";
    },
    async close() {
      await runner.close();
      await chain.stop();
    },
  };
}

/** What a front would show the verifier behind it; or the words as they are where it would refuse them. */
function behindFront(circuit: CircuitId, words: readonly Hex[]): readonly Hex[] {
  try {
    return circuitWords(circuit, words);
  } catch (error) {
    if (error instanceof PublicInputError) return words;
    throw error;
  }
}

/** The circuit of a subject. */
export function idOf({ name }: Subject): CircuitName {
  const id = name.split(" ")[0];
  return circuitNames.find((one) => one === id) ?? "oidc_domain_attestation";
}
