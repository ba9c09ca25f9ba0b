import {
  BaseError,
  createPublicClient,
  decodeErrorResult,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  numberToHex,
  parseAbi,
  RpcRequestError,
} from "viem";
import { z } from "zod";
import { type CircuitId, chainOf, type Deployment } from "./deployment";
import { VerificationUnavailableError } from "./errors";
import { hexSchema } from "./hex";
import { rpcTransport } from "./rpc";

const verifierAbi = parseAbi([
  "function verify(bytes proof, bytes32[] publicInputs) view returns (bool)",
  "error NotEnoughGas()",
]);

/**
 * Gas given to the call. The verifier front needs 13 million to tell a bad proof from too little gas; a bad
 * proof may burn all of it; 2^24 is the most one transaction may have (EIP-7825), which nodes apply to calls.
 */
const VERIFY_GAS = 16_000_000n;
const TIMEOUT_MS = 15_000;

export type VerifyRequest = { circuit: CircuitId; proof: Hex; publicInputs: readonly Hex[] };

/**
 * Asks the circuit's verifier contract, from our own configuration, whether a proof holds (an eth_call).
 * Canonical form and trust in the public inputs are checked elsewhere: `decodePublicInputs`, `createTrust`.
 * @returns "valid" when the contract says true, "invalid" when it says false or reverts.
 * @throws VerificationUnavailableError when the chain cannot be asked, the address holds no verifier, the
 * node gives too little gas, or the circuit is not offered here: the proof's validity is then unknown.
 */
export async function verifyOnChain(
  deployment: Pick<Deployment, "verifiers" | "chains">,
  { circuit, proof, publicInputs }: VerifyRequest,
): Promise<"valid" | "invalid"> {
  const verifier = deployment.verifiers[circuit];
  if (!verifier) throw new VerificationUnavailableError(`this installation has no verifier for ${circuit}`);
  const chain = chainOf(deployment, verifier.chainId);
  const client = createPublicClient({
    // A node named for checks is asked alone: others are not to see what is checked.
    transport: rpcTransport(chain.verificationRpcUrl ? { rpcUrl: chain.verificationRpcUrl } : chain, {
      ...{ timeout: TIMEOUT_MS, retryCount: 2 },
    }),
  });
  const data = encodeFunctionData({ abi: verifierAbi, functionName: "verify", args: [proof, publicInputs] });
  let returned: unknown;
  try {
    returned = await client.request({
      method: "eth_call",
      params: [{ to: verifier.address, data, gas: numberToHex(VERIFY_GAS) }, "latest"],
    });
  } catch (error) {
    if (isRevert(error)) return "invalid";
    throw new VerificationUnavailableError(`chain ${chain.id} cannot be asked about ${circuit}`, {
      cause: error,
    });
  }
  return readAnswer(returned, circuit) ? "valid" : "invalid";
}

function readAnswer(returned: unknown, circuit: CircuitId): boolean {
  try {
    return decodeFunctionResult({
      abi: verifierAbi,
      functionName: "verify",
      data: hexSchema.parse(returned),
    });
  } catch (error) {
    // An address without code answers nothing; that is our configuration, not the proof.
    throw new VerificationUnavailableError(`the configured verifier of ${circuit} is not one`, {
      cause: error,
    });
  }
}

/** Execution error as nodes report it: JSON-RPC code 3 (EIP-1474), or by message where they use another code. */
const EXECUTION_FAILED =
  /revert|out of gas|outofgas|invalid opcode|invalidfeopcode|invalid jump|stack (under|over)flow/i;

/** Whether the contract ran and failed, as opposed to not having been asked. */
function isRevert(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false;
  const rpc = error.walk((cause) => cause instanceof RpcRequestError);
  if (!(rpc instanceof RpcRequestError)) return false;
  if (revertedForGas(rpc.data)) return false;
  return rpc.code === 3 || EXECUTION_FAILED.test(rpc.details);
}

/** The front reverts with NotEnoughGas when the node caps calls lower than we asked. */
function revertedForGas(data: unknown): boolean {
  const bytes = z
    .union([hexSchema, z.object({ data: hexSchema }).transform((wrapped) => wrapped.data)])
    .safeParse(data);
  if (!bytes.success) return false;
  try {
    return decodeErrorResult({ abi: verifierAbi, data: bytes.data }).errorName === "NotEnoughGas";
  } catch {
    return false;
  }
}
