import { parseArgs } from "node:util";
import type { Hex } from "viem";
import { z } from "zod";
import { circuitIdSchema } from "@/lib/proofs/deployment";
import { circuits } from "@/lib/proofs/registry";
import { isWellKnownKey } from "@/lib/settings/keys";
import { checkSettings, type Environment } from "@/lib/settings/read";
import { operatorVariables } from "@/lib/settings/tools";

/** The run is not possible with these options. The message says why. */
export class DeployError extends Error {
  override name = "DeployError";
}

const USAGE = `usage: DEPLOYER_KEY=0x… npm run contracts:deploy -- --circuit <id> --chain <id> --rpc <url>
  --dry-run           print what would be deployed and its cost, send nothing
  --addresses <file>  address file to update (default contracts/addresses.json)
  --development       development circuits and setup data: for a local anvil only, with a separate address file`;

/** The address file of real deployments. */
const ADDRESSES = "contracts/addresses.json";

/** Test networks on which an operator may rehearse, by the chain they stand in for: Base Sepolia for Base. */
const REHEARSALS: Readonly<Record<number, number>> = { 8453: 84532 };

/**
 * Reads command line and environment. The key comes from the environment only: a command line is in the process list, which
 * every user sees, and in the shell's history.
 * @throws DeployError that names the problem, never the key
 */
export function readOptions(args: readonly string[], env: Environment) {
  const given = parse(args);
  const circuit = circuitIdSchema.safeParse(given.circuit);
  if (!circuit.success)
    throw new DeployError(`--circuit must be one of ${circuitIdSchema.options.join(", ")}`);
  const chainId = z.coerce.number().int().positive().safeParse(given.chain);
  if (!chainId.success) throw new DeployError("--chain must be a chain id");
  const verified = circuits[circuit.data].verificationChainId;
  if (chainId.data !== verified && chainId.data !== REHEARSALS[verified]) {
    throw new DeployError(`proofs of ${circuit.data} are verified on chain ${verified}, not ${chainId.data}`);
  }
  const rpcUrl = z.url({ protocol: /^https?$/ }).safeParse(given.rpc);
  if (!rpcUrl.success) throw new DeployError("--rpc must be an http(s) address");
  const { development } = given;
  const addresses = given.addresses ?? ADDRESSES;
  if (development && given.addresses === undefined) {
    throw new DeployError(`--development needs --addresses: ${ADDRESSES} is for real verifiers`);
  }
  return {
    ...{ circuit: circuit.data, chainId: chainId.data, rpcUrl: rpcUrl.data },
    ...{ dryRun: given["dry-run"], development, addresses, key: readKey(env, development) },
  };
}

/** The options of one run; without a key nothing is sent. */
export type DeployOptions = ReturnType<typeof readOptions>;

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        circuit: { type: "string" },
        chain: { type: "string" },
        rpc: { type: "string" },
        addresses: { type: "string" },
        "dry-run": { type: "boolean", default: false },
        development: { type: "boolean", default: false },
      },
    }).values;
  } catch {
    // Node's message may repeat an argument, which may be a key.
    throw new DeployError(`the command line has an unknown option or argument\n${USAGE}`);
  }
}

function readKey(env: Environment, development: boolean): Hex | undefined {
  const { DEPLOYER_KEY } = operatorVariables;
  const { values, problems } = checkSettings({ DEPLOYER_KEY }, env);
  if (problems.length > 0) throw new DeployError(problems.join("; "));
  const key = values?.DEPLOYER_KEY;
  if (key && !development && isWellKnownKey(key)) {
    throw new DeployError("DEPLOYER_KEY is a public development key; use your own");
  }
  return key;
}

/**
 * Returns whether a chain is an anvil on this machine. Development verifiers are for those only, because anyone can forge
 * proofs for them.
 * @param clientVersion result of web3_clientVersion
 */
export function isLocalChain(rpcUrl: string, clientVersion: string): boolean {
  const host = new URL(rpcUrl).hostname;
  return ["localhost", "127.0.0.1", "[::1]"].includes(host) && /^anvil\//i.test(clientVersion);
}
