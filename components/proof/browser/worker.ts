import type { Barretenberg } from "@aztec/bb.js";
import type { CompiledCircuit, InputMap } from "@noir-lang/noir_js";
import { CircuitArtifact, EVM_SETTINGS, vkHashOf } from "@/lib/proofs/artifact";
import { CEREMONY_G2 } from "@/lib/proofs/ceremony";
import { fromBase64, gunzip } from "@/lib/proofs/packed";
import { layoutWords } from "@/lib/proofs/signed-digest";
import type { ProvedHere, ProvingProgress, ProvingTask, WorkerReply } from "./driver";
import { BrowserProvingError, codeOf } from "./errors";
import { ceremonyPoints, keepPoints, type Points } from "./points";
import { browserStore, type ProvingStore, sha256 } from "./store";

/** The worker that makes one proof. The CSP of its own file (next.config.ts) applies to it, not the page's CSP. */

interface ProvingParts {
  readonly store: ProvingStore;
  readonly onProgress: (progress: ProvingProgress) => void;
}

interface Loaded {
  readonly artifact: CircuitArtifact;
  /** The same artifact with the type of noir_js. */
  readonly program: CompiledCircuit;
}

/** Makes one proof with the prover's library, settings and key. @throws anything; `codeOf` reads it */
async function prove(task: ProvingTask, { store, onProgress }: ProvingParts): Promise<ProvedHere> {
  const at = (stage: ProvingProgress["stage"], fraction: number | null = null) =>
    onProgress({ stage, fraction });
  at("loading");
  const [bb, noir, loaded, points] = await Promise.all([
    import("@aztec/bb.js"),
    import("@noir-lang/noir_js"),
    loadCircuit(task),
    ceremonyPoints(task.sheet.points, {
      ...{ store, sources: task.pointSources },
      fetch: (input, init) => fetch(input, init),
      onFraction: (fraction) => at("points", fraction),
    }),
  ]);
  at("witness");
  const witness = await solve(noir, loaded.program, task.inputs);
  const api = await bb.Barretenberg.new({
    backend: bb.BackendType.Wasm,
    threads: task.threads,
    // Its own download would use a host that the operator did not choose, and fetch more points than needed.
    skipSrsInit: true,
  });
  await loadPoints(api, points, store);
  const bytecode = await gunzip(fromBase64(loaded.artifact.bytecode));
  const circuit = { name: task.circuit, bytecode };
  const verificationKey = await keyOf(api, circuit, task, { store, onProgress });
  at("proving");
  const { proof, publicInputs } = await api.circuitProve({
    circuit: { ...circuit, verificationKey },
    witness: await gunzip(witness),
    settings: EVM_SETTINGS,
  });
  const words = publicInputs.map((word) => hex([word]));
  return { proof: hex(proof), publicInputs: layoutWords(task.circuit, words) };
}

/** Fetches the compiled circuit from our origin. @throws BrowserProvingError unless it is the one of this page's build */
async function loadCircuit({ circuit, sheet }: ProvingTask): Promise<Loaded> {
  const response = await fetch(`/proving/circuits/${circuit}/${sheet.artifactSha256}`).catch(() => null);
  if (!response?.ok) throw new BrowserProvingError("circuit_unavailable");
  const bytes = new Uint8Array(await response.arrayBuffer());
  if ((await sha256(bytes)) !== sheet.artifactSha256) throw new BrowserProvingError("circuit_changed");
  const text = new TextDecoder().decode(bytes);
  const program: CompiledCircuit = JSON.parse(text);
  return { artifact: CircuitArtifact.parse(program), program };
}

/** Returns the witness, gzipped. @throws BrowserProvingError unprovable, without noir_js's message, which quotes inputs */
async function solve(
  { Noir }: typeof import("@noir-lang/noir_js"),
  program: CompiledCircuit,
  inputs: ProvingTask["inputs"],
): Promise<Uint8Array> {
  try {
    // noir_js checks the values against the circuit's parameters.
    const values: InputMap = JSON.parse(JSON.stringify(inputs));
    return (await new Noir(program).execute(values)).witness;
  } catch (error) {
    if (error instanceof WebAssembly.RuntimeError || error instanceof RangeError) throw error;
    throw new BrowserProvingError("unprovable");
  }
}

async function loadPoints(api: Barretenberg, points: Points, store: ProvingStore): Promise<void> {
  const { bytes, count, compressed } = points;
  const { pointsBuf } = await api
    .srsInitSrs({ pointsBuf: bytes, numPoints: count, g2Point: CEREMONY_G2 })
    .catch((error: unknown) => {
      // bb knows the ceremony's hashes and rejects other points.
      if (error instanceof Error && error.message.includes("SrsInitSrs"))
        throw new BrowserProvingError("points_wrong");
      throw error;
    });
  if (compressed) await keepPoints(pointsBuf, store);
}

/** Returns the verification key, which finds a wrong circuit or point before the slow part. @throws BrowserProvingError */
async function keyOf(
  api: Barretenberg,
  circuit: { name: string; bytecode: Uint8Array },
  { sheet }: ProvingTask,
  { store, onProgress }: ProvingParts,
): Promise<Uint8Array> {
  const name = `keys/${sheet.artifactSha256}`;
  const kept = await store.read(name);
  if (kept && vkHashOf(kept) === sheet.vkHash) return kept;
  onProgress({ stage: "key", fraction: null });
  const { bytes } = await api.circuitComputeVk({ circuit, settings: EVM_SETTINGS });
  if (vkHashOf(bytes) !== sheet.vkHash) throw new BrowserProvingError("key_mismatch");
  await store.write(name, bytes);
  return bytes;
}

function hex(words: readonly Uint8Array[]): `0x${string}` {
  const digits = words.flatMap((word) => Array.from(word, (byte) => byte.toString(16).padStart(2, "0")));
  return `0x${digits.join("")}`;
}

const send = (reply: WorkerReply) => self.postMessage(reply);

self.addEventListener("message", async ({ data }: MessageEvent<ProvingTask>) => {
  try {
    const proved = await prove(data, {
      store: browserStore,
      onProgress: (progress) => send({ kind: "progress", ...progress }),
    });
    send({ kind: "done", ...proved });
  } catch (error) {
    send({ kind: "failed", code: codeOf(error) });
  }
});
