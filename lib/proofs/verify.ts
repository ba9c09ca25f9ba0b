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
import { rpcTransport, type TraceRpc } from "./rpc";

const verifierAbi = parseAbi([
  "function verify(bytes proof, bytes32[] publicInputs) view returns (bool)",
  "error NotEnoughGas()",
]);

/**
 * Gas for the call. VerifierFront needs 13 million to tell a bad proof from too little gas, and a bad proof may use all
 * of it. The limit of a transaction is 2^24 (EIP-7825), which nodes also apply to calls.
 */
const VERIFY_GAS = 16_000_000n;
const TIMEOUT_MS = 15_000;

export type VerifyRequest = { circuit: CircuitId; proof: Hex; publicInputs: readonly Hex[] };

/**
 * Verifies a proof with an eth_call to the circuit's verifier contract. Does not check canonical form or trust in the
 * public inputs: see `decodePublicInputs` and `createTrust`.
 * @returns "valid" if the contract returns true, "invalid" if it returns false or reverts.
 * @throws VerificationUnavailableError if the chain is unreachable, the address has no verifier, the node allows too
 * little gas, or the circuit is not offered here: the proof's validity is then unknown.
 */
export async function verifyOnChain(
  deployment: Pick<Deployment, "verifiers" | "chains">,
  { circuit, proof, publicInputs }: VerifyRequest,
  traceOf?: (chainId: number) => TraceRpc,
): Promise<"valid" | "invalid"> {
  const verifier = deployment.verifiers[circuit];
  if (!verifier) throw new VerificationUnavailableError(`this installation has no verifier for ${circuit}`);
  const chain = chainOf(deployment, verifier.chainId);
  const client = createPublicClient({
    // No fallback from a node of our own: other nodes must not see what is verified.
    transport: rpcTransport(chain.verificationRpcUrl ? { rpcUrl: chain.verificationRpcUrl } : chain, {
      timeout: TIMEOUT_MS,
      retryCount: 2,
      trace: traceOf?.(chain.id),
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
    throw new VerificationUnavailableError(`could not reach chain ${chain.id}`, { cause: error });
  }
  return readAnswer(returned, circuit) ? "valid" : "invalid";
}

function readAnswer(returned: unknown, circuit: CircuitId): boolean {
  try {
    const data = hexSchema.parse(returned);
    return decodeFunctionResult({ abi: verifierAbi, functionName: "verify", data });
  } catch (error) {
    // An address without code returns nothing: a configuration error, not a bad proof.
    throw new VerificationUnavailableError(`there is no verifier of ${circuit}`, { cause: error });
  }
}

/** Messages of nodes that report a failed execution with another code than 3 (EIP-1474). */
const EXECUTION_FAILED =
  /revert|out of gas|outofgas|invalid opcode|invalidfeopcode|invalid jump|stack (under|over)flow/i;

/** Returns whether the contract ran and failed, as opposed to the call not reaching it. */
function isRevert(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false;
  const rpc = error.walk((cause) => cause instanceof RpcRequestError);
  if (!(rpc instanceof RpcRequestError)) return false;
  if (revertedForGas(rpc.data)) return false;
  return rpc.code === 3 || EXECUTION_FAILED.test(rpc.details);
}

/** Returns whether VerifierFront reverted with NotEnoughGas: the node caps calls below VERIFY_GAS. */
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
