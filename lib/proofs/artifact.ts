import { z } from "zod";
import type { CircuitId } from "./deployment";

/** A compiled circuit as `circuits/artifacts/<name>.json` holds it. */
export const CircuitArtifact = z.object({
  /** circuit id, for example oidc_domain_attestation */
  name: z.string().min(1),
  noirVersion: z.string(),
  /** Noir's ABI; only noir_js looks inside */
  abi: z
    .object({
      parameters: z.array(z.looseObject({ name: z.string() })),
      error_types: z.record(z.string(), z.looseObject({ error_kind: z.string() })).default({}),
    })
    .loose(),
  /** base64 of gzipped ACIR */
  bytecode: z.string().min(1),
  hash: z.string(),
});
export type CircuitArtifact = z.infer<typeof CircuitArtifact>;

/** UltraHonk for the EVM: keccak transcript, zero knowledge. The same everywhere, or keys do not match proofs. */
export const EVM_SETTINGS = {
  oracleHashType: "keccak",
  disableZk: false,
  ipaAccumulation: false,
  optimizedSolidityVerifier: false,
} as const;

/** What a browser has to know of a circuit to make its proof. */
export interface ProvingSheet {
  /** sha256 of the compiled circuit's file, as this build of the app was made with it. */
  readonly artifactSha256: string;
  /** Hash of the verification key, as the verifier contract has it. */
  readonly vkHash: `0x${string}`;
  /** Points of the ceremony it takes: 2^k. */
  readonly points: number;
}

/** What an installation offers to browsers that make their proofs by themselves. */
export type BrowserProving =
  | { readonly offered: false; readonly reason: "development_srs" | "not_offered" }
  | {
      readonly offered: true;
      /** Addresses below which the ceremony's points lie, in the order they are asked. */
      readonly pointSources: readonly string[];
      readonly circuits: Readonly<Partial<Record<CircuitId, ProvingSheet>>>;
    };
