import { type Address, type Hex, keccak256, stringToBytes } from "viem";

/** Scope string of the example. It differs from the community's, so that its nullifiers do not identify members. */
export const ELIGIBLE_ACTION_SCOPE = "parley-petition";

/** Gas limit of a submission, which uses a third of it (see contracts/src/EligibleAction.sol). */
export const ELIGIBLE_ACTION_GAS = 14_000_000n;

/** One signature under a statement. */
export type PetitionSignature = {
  /** `statementHash` of the text. */
  statement: Hex;
  /** Number of earlier signatures of this person (`nonces(nullifier)`). */
  nonce: bigint;
  /** Unix time of the last second for a submission. */
  deadline: bigint;
};

/** Returns the keccak256 of the UTF-8 bytes of a statement. */
export function statementHash(text: string): Hex {
  return keccak256(stringToBytes(text));
}

/**
 * Returns the EIP-712 typed data of a signature, for a wallet to sign and as the prover's `action`. Safe in a browser.
 * @param contract `examples.eligibleAction` of the deployment
 */
export function petitionTypedData(
  contract: { chainId: number; address: Address },
  message: PetitionSignature,
) {
  return {
    domain: {
      name: "Parley petition",
      version: "1",
      chainId: contract.chainId,
      verifyingContract: contract.address,
    },
    types: {
      Signature: [
        { name: "statement", type: "bytes32" },
        { name: "nonce", type: "uint256" },
        { name: "deadline", type: "uint256" },
      ],
    },
    primaryType: "Signature",
    message,
  } as const;
}
