import { copyFile, mkdir, readFile, rename, rm } from "node:fs/promises";
import path from "node:path";
import { clientsOf, type LocalChain, startAnvil } from "@/contracts/local-chain";
import { parseJson } from "@/lib/json";
import type { Children } from "./children";
import { CHAINS, type Ports } from "./settings";

/** How much a kill may lose, in seconds. Writing a state of some 10 MB takes a fraction of that. */
const STATE_INTERVAL_S = 3;

/**
 * Starts every local chain on loopback with its saved state, all at once.
 * @param dir folder of the states, `<id>.json`
 * @param note called when a state could not be read and an older one, or none, is used
 */
export async function startChains(
  dir: string,
  ports: Ports["chains"],
  children: Children,
  note: (text: string) => void,
): Promise<LocalChain[]> {
  await mkdir(dir, { recursive: true });
  return Promise.all(
    CHAINS.map(async ({ id, name }) => {
      const statePath = path.join(dir, `${id}.json`);
      await repairState(statePath, note);
      const anvil = await startAnvil({
        chainId: id,
        port: ports[id],
        statePath,
        stateInterval: STATE_INTERVAL_S,
      });
      children.adopt(`chain-${id}`, anvil.process);
      return clientsOf(anvil, id, name);
    }),
  );
}

/**
 * Restores the last good state after a kill. A kill during a write leaves half a file, with which the chain would
 * refuse to start, so every start keeps a copy of a complete state.
 */
async function repairState(file: string, note: (text: string) => void): Promise<void> {
  const backup = `${file}.last-good`;
  const state = await readState(file);
  if (state === "whole") return copyFile(file, backup);
  if (state === "absent") return;
  await rename(file, `${file}.broken`);
  if ((await readState(backup)) === "whole") {
    await copyFile(backup, file);
    note(`${path.basename(file)} was cut off by a kill; restored the state of the last start`);
  } else {
    await rm(backup, { force: true });
    note(`${path.basename(file)} was cut off by a kill; this chain starts from scratch`);
  }
}

async function readState(file: string): Promise<"whole" | "broken" | "absent"> {
  const text = await readFile(file, "utf8").catch(() => null);
  if (text === null) return "absent";
  return parseJson(text) === undefined ? "broken" : "whole";
}
