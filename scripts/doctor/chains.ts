import { createPublicClient, http, type PublicClient } from "viem";
import { type Chain, chainOf, type Deployment } from "@/lib/proofs/deployment";
import { type Check, type Finding, fault, reasonOf, TIMEOUT_MS, warning } from "./finding";

/** Seconds by which clock and latest block may differ, on chains that make blocks all the time. */
const CLOCK_SECONDS = 120;

/** Returns a client of one node. */
function nodeAt(url: string): PublicClient {
  return createPublicClient({ transport: http(url, { timeout: TIMEOUT_MS, retryCount: 1 }) });
}

/** Returns a client of the node that our servers ask first. @throws Error for a chain that is not described */
export function nodeOf(deployment: Pick<Deployment, "chains">, chainId: number): PublicClient {
  return nodeAt(chainOf(deployment, chainId).rpcUrl);
}

/** Checks that each node answers, is on its chain, and has a recent block. */
export const checkChains: Check = async ({ deployment }) =>
  (await Promise.all(deployment.chains.map(checkChain))).flat();

async function checkChain(chain: Chain): Promise<readonly Finding[]> {
  const nodes = new Map<string, string>();
  const { rpcUrl, rpcUrls = [], verificationRpcUrl, publicRpcUrl } = chain;
  const named = [
    ["rpcUrl", rpcUrl],
    ...rpcUrls.map((url, index) => [`rpcUrls.${index}`, url] as const),
    ...(verificationRpcUrl ? [["verificationRpcUrl", verificationRpcUrl] as const] : []),
    ["publicRpcUrl", publicRpcUrl],
  ] as const;
  for (const [name, url] of named) if (!nodes.has(url)) nodes.set(url, name);
  return (await Promise.all([...nodes].map(([url, name]) => checkNode(chain.id, name, url)))).flat();
}

async function checkNode(chainId: number, name: string, url: string): Promise<readonly Finding[]> {
  const about = `chain ${chainId}`;
  const client = nodeAt(url);
  try {
    const found = await client.getChainId();
    if (found !== chainId) {
      const mend = `Name a node of chain ${chainId} there`;
      return [fault(about, `${name} leads to chain ${found}`, mend)];
    }
    const { timestamp } = await client.getBlock();
    return clockFinding(about, name, Number(timestamp) - Date.now() / 1000);
  } catch (error) {
    return [
      fault(
        about,
        `the node of ${name} does not answer (${reasonOf(error)})`,
        "Check the address, its key and the network",
      ),
    ];
  }
}

/** @param ahead seconds by which the latest block is ahead of this machine's clock */
function clockFinding(about: string, name: string, ahead: number): readonly Finding[] {
  if (ahead > CLOCK_SECONDS) {
    const problem = `this machine's clock is ${Math.round(ahead)} s behind the latest block`;
    return [
      fault(
        "clock",
        `${problem} of ${about}`,
        "Set the clock by NTP: times of proofs and payments are checked",
      ),
    ];
  }
  if (ahead < -CLOCK_SECONDS) {
    const problem = `the latest block at ${name} is ${Math.round(-ahead)} s old`;
    const mend =
      "Check that the node is in sync and this machine's clock is set by NTP; a quiet test chain is fine";
    return [warning(about, problem, mend)];
  }
  return [];
}
