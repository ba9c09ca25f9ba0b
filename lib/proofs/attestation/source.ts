import type { Address, Hex } from "viem";
import type { Attester } from "../trust/attesters";
import type { Reach } from "./http";

/** An attestation as its index lists it; the chain has the last word on what it says. */
export type ListedAttestation = {
  uid: Hex;
  transactionHash: Hex;
  /** Seconds. */
  time: number;
};

/** Whose attestations are asked for, and where. */
export type SourceQuery = Reach & {
  /** Base address from the deployment. */
  url: string;
  attester: Attester;
  recipient: Address;
};
