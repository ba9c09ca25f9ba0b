import { type Address, type Hex, keccak256, stringToBytes } from "viem";

/**
 * What a wallet signs for the example contract EligibleAction. Safe to import in a browser.
 */

/** Scope string of the example: not the community's, so that its nullifiers on chain are nobody's there. */
export const ELIGIBLE_ACTION_SCOPE = "parley-petition";

/** Gas limit of a submission; a third of it is used (see contracts/src/EligibleAction.sol). */
export const ELIGIBLE_ACTION_GAS = 14_000_000n;

/** One signature under a statement. */
export type PetitionSignature = {
  /** `statementHash` of the text. */
  statement: Hex;
  /** Signatures this person has given there before (`nonces(nullifier)`). */
  nonce: bigint;
  /** Last second at which it may be submitted. */
  deadline: bigint;
};

/** keccak256 of the UTF-8 bytes of a statement. */
export function statementHash(text: string): Hex {
  return keccak256(stringToBytes(text));
}

/**
 * EIP-712 typed data of a signature, as a wallet signs it and as the prover's `action` takes it.
 * @param contract where the register stands (`examples.eligibleAction` of the deployment)
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
