import type { Address, Hex } from "viem";
import type { CircuitId } from "../deployment";

/**
 * Public facts about the attesters whose signatures the wallet circuits accept (design page "Circuits",
 * "Public facts"). A proof's root must equal `root`; the attester contract and chain are compiled into
 * the circuit.
 */
export type Attester = {
  /** Chain the attestation transaction was made for. */
  readonly chainId: number;
  /** Contract the attestation transaction calls. */
  readonly contract: Address;
  /** Registry that stores attestations. */
  readonly registry: Address;
  /** Schema id of the attestation; null where the circuit reads transactions only. */
  readonly schema: Hex | null;
  /** First four bytes of the attestation call. */
  readonly selector: Hex;
  /** Authorised signers in tree order. */
  readonly signers: readonly [Address, ...Address[]];
  /** Merkle root over `signers`. */
  readonly root: Hex;
};

const REGISTRY: Address = "0x4200000000000000000000000000000000000021";
const COUNTRY_SCHEMA: Hex = "0x1801901fabd0e6189356b4fb52bb0ab855276d84f7ec140839fbd1f6801ca065";
const ACCOUNT_SCHEMA: Hex = "0xf8b05c79f090979bf4a80270aba232dff11a10d9ca55c4f88de95317970f0de9";
const ATTEST_COUNTRY: Hex = "0x0a225248";
/** attestAccount(address) */
const ATTEST_ACCOUNT: Hex = "0x56feed5e";

const mainAttester = {
  chainId: 8453,
  contract: "0x357458739F90461b99789350868CD7CF330Dd7EE",
  registry: REGISTRY,
  signers: [
    "0x952f32128AF084422539C4Ff96df5C525322E564",
    "0x8844591D47F17bcA6F5dF8f6B64F4a739F1C0080",
    "0x88fe64ea2e121f49bb77abea6c0a45e93638c3c5",
    "0x44ace9abb148e8412ac4492e9a1ae6bd88226803",
  ],
  root: "0xb60da9815c76261b61a1e91f199de5845fc171a6500e57c4240d2ac61d85e2bf",
} as const;

export type AttestedCircuit = Exclude<CircuitId, "oidc_domain_attestation">;

export const attesters: Readonly<Record<AttestedCircuit, Attester>> = {
  partner_country_attestation: { ...mainAttester, schema: COUNTRY_SCHEMA, selector: ATTEST_COUNTRY },
  network_eligibility: { ...mainAttester, schema: ACCOUNT_SCHEMA, selector: ATTEST_ACCOUNT },
  regional_attestation: {
    chainId: 91342,
    contract: "0x6646d970499BBeD728636823A5A7e551E811b414",
    registry: REGISTRY,
    schema: ACCOUNT_SCHEMA,
    selector: ATTEST_ACCOUNT,
    signers: ["0xEE099845CDfF93e73aDcBcB36A9B93578bcCed4b"],
    root: "0xad0e6d81c16211cd9d5d1580bbcea34f90a7dbf861530724a28bcba585360b92",
  },
};

/** Whether a proof's attester root is the one we trust for this circuit. */
export function isTrustedRoot(circuit: AttestedCircuit, root: Hex): boolean {
  return attesters[circuit].root === root.toLowerCase();
}
