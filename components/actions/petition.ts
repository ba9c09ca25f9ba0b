import { type Address, createPublicClient, encodeFunctionData, type Hex, http, parseAbi } from "viem";
import type { PetitionContract, PublicConfig } from "@/components/proof/config";
import type { ContractCall } from "@/components/wallet/connected";
import { ELIGIBLE_ACTION_GAS, petitionTypedData, statementHash } from "@/contracts/eligible-action";
import { type Action, actionSchema } from "@/lib/proofs/attestation/action";
import { circuitTag, scopeWord, walletNullifier } from "@/lib/proofs/derivations";
import { hex32Schema } from "@/lib/proofs/hex";
import type { AttestedCircuit } from "@/lib/proofs/trust/attesters";

const ABI = parseAbi([
  "struct Signature { bytes32 statement; uint256 nonce; uint256 deadline; }",
  "function sign(bytes proof, bytes32[] publicInputs, Signature action)",
  "function signatures(bytes32 statement) view returns (uint256)",
  "function hasSigned(bytes32 nullifier, bytes32 statement) view returns (bool)",
  "function nonces(bytes32 nullifier) view returns (uint256)",
]);
/** How long a signature can be submitted. */
const VALID_SECONDS = 24 * 60 * 60;

function readerOf({ chainId, address }: PetitionContract, config: PublicConfig) {
  const chain = config.chains.find((c) => c.id === chainId);
  if (!chain) throw new Error(`chain ${chainId} is not configured`);
  return { client: createPublicClient({ transport: http(chain.publicRpcUrl) }), address, abi: ABI };
}

interface PetitionRequest {
  readonly contract: PetitionContract;
  readonly statement: string;
  readonly holder: Address;
  readonly circuit: AttestedCircuit;
  readonly scope: string;
}

/** Builds the EIP-712 data that authorizes one signature of a statement; null when the holder has signed it. */
export async function petitionAction(request: PetitionRequest, config: PublicConfig): Promise<Action | null> {
  const { contract, holder, circuit, scope } = request;
  const { client, ...read } = readerOf(contract, config);
  const statement = statementHash(request.statement);
  const nullifier = walletNullifier(holder, circuitTag(circuit), scopeWord(scope));
  const [signed, nonce] = await Promise.all([
    client.readContract({ ...read, functionName: "hasSigned", args: [nullifier, statement] }),
    client.readContract({ ...read, functionName: "nonces", args: [nullifier] }),
  ]);
  if (signed) return null;
  const deadline = BigInt(Math.floor(Date.now() / 1000) + VALID_SECONDS);
  const { domain, types, primaryType } = petitionTypedData(contract, { statement, nonce, deadline });
  // Decimal strings, because the action is stored as JSON.
  const message = { statement, nonce: nonce.toString(), deadline: deadline.toString() };
  return actionSchema.parse({ domain, types, primaryType, message });
}

/** Returns the number of verified people who signed a statement. */
export function petitionCount(
  contract: PetitionContract,
  statement: string,
  config: PublicConfig,
): Promise<bigint> {
  const { client, ...read } = readerOf(contract, config);
  return client.readContract({
    ...read,
    functionName: "signatures",
    args: [statementHash(statement)],
  });
}

/** Builds the transaction that submits a proof. Any account may send it: nothing in it depends on the sender. */
export function petitionCall(
  contract: PetitionContract,
  action: Action,
  { proof, publicInputs }: { readonly proof: Hex; readonly publicInputs: readonly Hex[] },
): ContractCall {
  const { statement, nonce, deadline } = action.message;
  const data = encodeFunctionData({
    abi: ABI,
    functionName: "sign",
    args: [
      proof,
      publicInputs,
      {
        statement: hex32Schema.parse(statement),
        nonce: BigInt(String(nonce)),
        deadline: BigInt(String(deadline)),
      },
    ],
  });
  return { chainId: contract.chainId, to: contract.address, data, gas: ELIGIBLE_ACTION_GAS };
}
