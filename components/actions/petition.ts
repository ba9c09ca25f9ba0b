import { type Address, createPublicClient, encodeFunctionData, type Hex, http, parseAbi } from "viem";
import type { PetitionContract, PublicConfig } from "@/components/proof/config";
import type { ContractCall } from "@/components/wallet/connected";
import { ELIGIBLE_ACTION_GAS, petitionTypedData, statementHash } from "@/contracts/eligible-action";
import { type Action, actionSchema } from "@/lib/proofs/attestation/action";
import { circuitTag, scopeWord, walletNullifier } from "@/lib/proofs/derivations";
import { hex32Schema } from "@/lib/proofs/hex";
import type { AttestedCircuit } from "@/lib/proofs/trust/attesters";

const abi = parseAbi([
  "struct Signature { bytes32 statement; uint256 nonce; uint256 deadline; }",
  "function sign(bytes proof, bytes32[] publicInputs, Signature action)",
  "function signatures(bytes32 statement) view returns (uint256)",
  "function hasSigned(bytes32 nullifier, bytes32 statement) view returns (bool)",
  "function nonces(bytes32 nullifier) view returns (uint256)",
]);
/** A signature that is not handed in within this time is void. */
const VALID_SECONDS = 24 * 60 * 60;

function readerOf({ chainId, address }: PetitionContract, config: PublicConfig) {
  const chain = config.chains.find((c) => c.id === chainId);
  if (!chain) throw new Error(`no chain ${chainId} is configured`);
  return { client: createPublicClient({ transport: http(chain.publicRpcUrl) }), address, abi };
}

export interface PetitionRequest {
  readonly contract: PetitionContract;
  readonly statement: string;
  readonly holder: Address;
  readonly circuit: AttestedCircuit;
  readonly scope: string;
}

/**
 * What a wallet would authorise to sign a statement once: EIP-712 typed data with this person's next number.
 * @returns null when this person has signed the statement already.
 */
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
  // Numbers as decimal strings: the action is kept as JSON.
  const message = { statement, nonce: nonce.toString(), deadline: deadline.toString() };
  return actionSchema.parse({ domain, types, primaryType, message });
}

/** How many verified people have signed a statement. */
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

/** The transaction that hands a proof in. Whoever sends it: nothing in it is theirs. */
export function petitionCall(
  contract: PetitionContract,
  action: Action,
  { proof, publicInputs }: { readonly proof: Hex; readonly publicInputs: readonly Hex[] },
): ContractCall {
  const { statement, nonce, deadline } = action.message;
  const data = encodeFunctionData({
    abi,
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
