import { type Address, isAddressEqual, keccak256, type PublicClient } from "viem";
import { VerifierFront } from "@/contracts";
import { type CircuitId, circuitIds, type Deployment } from "@/lib/proofs/deployment";
import { publicInputLayout } from "@/lib/proofs/registry";
import { frontValues } from "@/prover/barretenberg/front-values";
import type { AddressEntry } from "../contracts/deploy/addresses";
import { nodeOf } from "./chains";
import { type Check, type Finding, fault, type Patient, reasonOf } from "./finding";

const DEPLOY =
  "Deploy it with npm run contracts:deploy, and copy address and vkHash from contracts/addresses.json";

/** Checks that the verifiers on the chains are those of our circuits. */
export const checkVerifiers: Check = async (patient) => {
  const findings = circuitIds.map(async (circuit) => {
    const verifier = patient.deployment.verifiers[circuit];
    return verifier ? await checkVerifier(patient, circuit, verifier) : [];
  });
  return (await Promise.all(findings)).flat();
};

type Verifier = NonNullable<Deployment["verifiers"][CircuitId]>;

async function checkVerifier(
  { deployment, addresses, mode }: Patient,
  circuit: CircuitId,
  { chainId, address, vkHash }: Verifier,
): Promise<readonly Finding[]> {
  const about = `verifier of ${circuit}`;
  if (!deployment.chains.some(({ id }) => id === chainId)) {
    return [
      fault(about, `it is on chain ${chainId}, which is not described`, "Add the chain to the description"),
    ];
  }
  const client = nodeOf(deployment, chainId);
  const entry = addresses[chainId]?.[circuit];
  try {
    const onChain = await frontProblems(client, circuit, address);
    if (mode !== "production" || onChain.length > 0)
      return onChain.map((problem) => fault(about, problem, DEPLOY));
    if (!entry || !isAddressEqual(entry.front, address)) {
      const mend = "Add the chain's entry to contracts/addresses.json, or deploy the verifier";
      return [fault(about, `${address} is not the front that contracts/addresses.json names`, mend)];
    }
    const problems = [...digestProblems(entry, vkHash, deployment), ...(await codeProblems(client, entry))];
    return problems.map((problem) => fault(about, problem, DEPLOY));
  } catch (error) {
    return [fault(about, `its contract cannot be read (${reasonOf(error)})`, "Check the chain's rpcUrl")];
  }
}

/** Compares what the front says of itself with the circuit's public inputs. */
async function frontProblems(client: PublicClient, circuit: CircuitId, address: Address): Promise<string[]> {
  if (!(await client.getCode({ address }))) return [`there is no code at ${address}`];
  const front = { address, abi: VerifierFront.abi } as const;
  try {
    const found = await Promise.all([
      client.readContract({ ...front, functionName: "numPublicInputs" }),
      client.readContract({ ...front, functionName: "byteWords" }),
      client.readContract({ ...front, functionName: "byteWordsHigh" }),
      client.readContract({ ...front, functionName: "signedDigest" }),
    ]);
    const wanted = frontValues(publicInputLayout(circuit));
    return found.every((value, index) => value === wanted[index])
      ? []
      : [`the contract at ${address} checks other public inputs: it is another circuit's front`];
  } catch {
    return [`the contract at ${address} is no VerifierFront`];
  }
}

function digestProblems(entry: AddressEntry, vkHash: string, deployment: Deployment): string[] {
  const problems: string[] = [];
  if (entry.vkHash !== vkHash)
    problems.push("vkHash of the description is another than in contracts/addresses.json");
  if (entry.srsKind !== deployment.srs.kind)
    problems.push(`it was deployed with ${entry.srsKind} setup data`);
  return problems;
}

/** Compares the code on the chain with what was there, checked byte for byte, after the deployment. */
async function codeProblems(client: PublicClient, entry: AddressEntry): Promise<string[]> {
  const { front, verifier, libraries, codeHashes } = entry;
  const contracts = Object.entries({ ...libraries, verifier, front });
  const checked = contracts.map(async ([name, address]) => {
    const code = await client.getCode({ address });
    if (!code) return [`there is no code at ${address} (${name})`];
    return keccak256(code) === codeHashes[name]
      ? []
      : [`the code at ${address} (${name}) is another than the deployed one`];
  });
  return (await Promise.all(checked)).flat();
}
