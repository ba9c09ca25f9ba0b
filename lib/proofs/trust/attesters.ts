import { z } from "zod";
import type { CircuitId, Deployment } from "../deployment";
import { addressSchema, hex32Schema, hexSchema } from "../hex";
import development from "./attesters.development.json";
import production from "./attesters.production.json";

const attesterSchema = z.object({
  /** Chain the attestation transaction was made for; compiled into the circuit. */
  chainId: z.int().positive(),
  /** How an attestation is looked up: the registry's GraphQL index, or a block explorer's log search. */
  source: z.enum(["graphql", "explorer"]),
  /** Contract the attestation transaction calls; compiled into the circuit. */
  contract: addressSchema,
  /** Registry that stores attestations. */
  registry: addressSchema,
  /** Schema id of the attestation in the registry. */
  schema: hex32Schema,
  /** First four bytes of the attestation call; compiled into the circuit. */
  selector: hexSchema,
  /** Authorised signers in tree order; the circuits have room for four. */
  signers: z
    .tuple([addressSchema], addressSchema)
    .refine((signers) => signers.length <= 4, "at most four signers"),
  /** Merkle root over `signers`: what a proof's root must equal. */
  root: hex32Schema,
});
/** Public facts about the attesters whose signatures a wallet circuit accepts (design page "Circuits"). */
export type Attester = Readonly<z.infer<typeof attesterSchema>>;

const configSchema = z.object({
  partner_country_attestation: attesterSchema,
  network_eligibility: attesterSchema,
  regional_attestation: attesterSchema,
});
export type AttestedCircuit = Exclude<CircuitId, "oidc_domain_attestation">;
export type Attesters = Readonly<Record<AttestedCircuit, Attester>>;

export const attestedCircuits = [
  "partner_country_attestation",
  "network_eligibility",
  "regional_attestation",
] as const satisfies readonly AttestedCircuit[];

export function isAttestedCircuit(circuit: CircuitId): circuit is AttestedCircuit {
  return circuit !== "oidc_domain_attestation";
}

/**
 * The one configuration of the attesters, by build. The circuits have chain, contract and selector compiled in:
 * `circuits/artifacts/<circuit>.json` from production, `<circuit>.development.json` from development, where the
 * signers' keys are known to everybody.
 */
const builds: Readonly<Record<Deployment["mode"], Attesters>> = {
  production: configSchema.parse(production),
  development: configSchema.parse(development),
};

/** The attesters trusted by an installation of this mode. */
export function attestersOf(mode: Deployment["mode"]): Attesters {
  return builds[mode];
}

/** Whether a proof's attester root is the one an installation of this mode trusts for this circuit. */
export function isTrustedRoot(mode: Deployment["mode"], circuit: AttestedCircuit, root: string): boolean {
  return builds[mode][circuit].root === root.toLowerCase();
}
