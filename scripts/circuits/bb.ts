import { execFile } from "node:child_process";
import fs from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { findBbBinary } from "@aztec/bb.js/platform";
import { z } from "zod";
import { CEREMONY_CRS } from "@/lib/proofs/testing/crs";
import { withFolder } from "../stack/folder";
import type { CircuitArtifact } from "./compile";

const run = promisify(execFile);
/** bb sometimes hangs; the slowest circuit takes some seconds. */
const limits = { timeout: 120_000, killSignal: "SIGKILL" } as const;

const GatesReport = z.object({
  functions: z.array(z.object({ circuit_size: z.number().int().positive() })).length(1),
});

/** Returns the Barretenberg binary of the installed package. Makes it executable: some installs do not. */
async function bbBinary(): Promise<string> {
  const binary = findBbBinary();
  if (!binary) throw new Error(`@aztec/bb.js has no binary for ${process.platform} ${process.arch}.`);
  await fs.access(binary, fs.constants.X_OK).catch(() => fs.chmod(binary, 0o755));
  return binary;
}

/** Returns the version of Barretenberg. */
export async function bbVersion(): Promise<string> {
  const { stdout } = await run(await bbBinary(), ["--version"], limits);
  return stdout.trim();
}

/**
 * Counts the gates of a circuit for the EVM verifier (`bb gates -t evm`).
 *
 * This needs neither the network nor setup data: CRS_PATH is an empty folder, so that a download would fail.
 */
export async function countGates(artifact: Pick<CircuitArtifact, "bytecode">): Promise<number> {
  return withFolder(async (dir) => {
    const file = path.join(dir, "circuit.json");
    await fs.writeFile(file, JSON.stringify({ bytecode: artifact.bytecode }));
    const { stdout } = await run(await bbBinary(), ["gates", "-t", "evm", "-b", file], {
      ...limits,
      env: { ...process.env, CRS_PATH: dir },
      maxBuffer: 1 << 24,
    });
    const [circuit] = GatesReport.parse(JSON.parse(stdout)).functions;
    return circuit?.circuit_size ?? 0;
  });
}

/**
 * Makes the verification key of a circuit that the ceremony's points in the repository are enough for
 * (`bb write_vk -t evm`): the same everywhere, since nothing is downloaded and the points are real.
 */
export async function ceremonyKey(artifact: Pick<CircuitArtifact, "bytecode">): Promise<Uint8Array> {
  return withFolder(async (dir) => {
    const file = path.join(dir, "circuit.json");
    await fs.writeFile(file, JSON.stringify({ bytecode: artifact.bytecode }));
    await run(await bbBinary(), ["write_vk", "-t", "evm", "-b", file, "-o", dir], {
      ...limits,
      env: { ...process.env, CRS_PATH: CEREMONY_CRS },
    });
    return fs.readFile(path.join(dir, "vk"));
  });
}
