import { type Hex, keccak256, numberToHex } from "viem";
import { z } from "zod";
import type { CircuitId } from "./deployment";
import { FIELD_MODULUS } from "./words";

/** A compiled circuit: the content of `circuits/artifacts/<name>.json`. */
export const CircuitArtifact = z.object({
  /** Circuit id, for example oidc_domain_attestation. */
  name: z.string().min(1),
  noirVersion: z.string(),
  /** Noir's ABI, for noir_js. */
  abi: z
    .object({
      parameters: z.array(z.looseObject({ name: z.string() })),
      error_types: z.record(z.string(), z.looseObject({ error_kind: z.string() })).default({}),
    })
    .loose(),
  /** Gzipped ACIR in base64. */
  bytecode: z.string().min(1),
  hash: z.string(),
});
export type CircuitArtifact = z.infer<typeof CircuitArtifact>;

/** UltraHonk for the EVM: keccak transcript, zero knowledge. Keys match proofs only if every prover uses these. */
export const EVM_SETTINGS = {
  oracleHashType: "keccak",
  disableZk: false,
  ipaAccumulation: false,
  optimizedSolidityVerifier: false,
} as const;

/** What a browser needs to know about a circuit to prove it. */
export interface ProvingSheet {
  /** sha256 of the compiled circuit's file that this build of the app uses. */
  readonly artifactSha256: string;
  /** Hash of the verification key in the verifier contract. */
  readonly vkHash: `0x${string}`;
  /** Ceremony points it needs: 2^k. */
  readonly points: number;
}

/** What an installation offers to browsers that prove locally. */
export type BrowserProving =
  | { readonly offered: false; readonly reason: "development_srs" | "not_offered" }
  | {
      readonly offered: true;
      /** Base URLs of the ceremony's points, in the order to try. */
      readonly pointSources: readonly string[];
      readonly circuits: Readonly<Partial<Record<CircuitId, ProvingSheet>>>;
    };

/** Hashes a verification key as bb's Solidity verifiers do. @param vk bb's binary key */
export function vkHashOf(vk: Uint8Array): Hex {
  return numberToHex(BigInt(keccak256(vk)) % FIELD_MODULUS, { size: 32 });
}
