import { copyFile, mkdir, readFile, rename, rm } from "node:fs/promises";
import path from "node:path";
import { startAnvil } from "@/contracts/anvil";
import { clientsOf, type LocalChain } from "@/contracts/local-chain";
import type { Children } from "./children";
import { CHAINS, type Ports } from "./settings";

/** What a kill may lose, in seconds; writing a state of some 10 MB takes a fraction of that. */
const STATE_INTERVAL_S = 3;

/**
 * Starts every local chain on loopback with its kept state, side by side.
 * @param dir where `<id>.json` states lie
 * @param note told when a state could not be read and an older one, or none, was used
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
      await settleState(statePath, note);
      const anvil = await startAnvil({
        chainId: id,
        port: ports[id],
        host: "127.0.0.1",
        statePath,
        stateInterval: STATE_INTERVAL_S,
      });
      children.adopt(`chain-${id}`, anvil.process);
      return clientsOf(anvil, id, name);
    }),
  );
}

/**
 * A kill while the state is being written leaves half a file, which the chain would refuse to start
 * with. The last state that was whole at a start is kept beside it.
 */
async function settleState(file: string, note: (text: string) => void): Promise<void> {
  const backup = `${file}.last-good`;
  const state = await readState(file);
  if (state === "whole") return copyFile(file, backup);
  if (state === "absent") return;
  await rename(file, `${file}.broken`);
  if ((await readState(backup)) === "whole") {
    await copyFile(backup, file);
    note(`${path.basename(file)} was cut off by a kill: went back to the state of the last start`);
  } else {
    await rm(backup, { force: true });
    note(`${path.basename(file)} was cut off by a kill: this chain starts anew`);
  }
}

async function readState(file: string): Promise<"whole" | "broken" | "absent"> {
  const text = await readFile(file, "utf8").catch(() => null);
  if (text === null) return "absent";
  try {
    JSON.parse(text);
    return "whole";
  } catch {
    return "broken";
  }
}
