import { z } from "zod";
import { type CircuitId, circuitIdSchema, type Deployment } from "../deployment";
import { addressSchema, hex32Schema, hexSchema } from "../hex";
import development from "./attesters.development.json" with { type: "json" };
import production from "./attesters.production.json" with { type: "json" };

const attesterSchema = z.object({
  /** Chain of the attestation transaction; compiled into the circuit. */
  chainId: z.int().positive(),
  /** Where to look up attestations: the registry's GraphQL index, or a block explorer's log search. */
  source: z.enum(["graphql", "explorer"]),
  /** Contract the attestation transaction calls; compiled into the circuit. */
  contract: addressSchema,
  /** Registry that stores attestations. */
  registry: addressSchema,
  /** Schema id of the attestation in the registry. */
  schema: hex32Schema,
  /** First four bytes of the attestation call; compiled into the circuit. */
  selector: hexSchema,
  /** Authorized signers in tree order; the circuits support four. */
  signers: z
    .tuple([addressSchema], addressSchema)
    .refine((signers) => signers.length <= 4, "at most four signers"),
  /** Merkle root over `signers`, which a proof's root must equal. */
  root: hex32Schema,
});
/** Public facts about the attesters whose signatures a wallet circuit accepts (design page "Circuits"). */
export type Attester = Readonly<z.infer<typeof attesterSchema>>;

const attestedCircuitSchema = circuitIdSchema.exclude(["oidc_domain_attestation"]);
export type AttestedCircuit = z.infer<typeof attestedCircuitSchema>;
export const attestedCircuits = attestedCircuitSchema.options;

const configSchema = z.record(attestedCircuitSchema, attesterSchema);
export type Attesters = Readonly<z.infer<typeof configSchema>>;

export function isAttestedCircuit(circuit: CircuitId): circuit is AttestedCircuit {
  return circuit !== "oidc_domain_attestation";
}

/**
 * The attesters by build. Circuits have chain, contract and selector compiled in: `circuits/artifacts/<circuit>.json` from
 * production, `<circuit>.development.json` from development, whose signers' keys are public.
 */
const builds: Readonly<Record<Deployment["mode"], Attesters>> = {
  production: configSchema.parse(production),
  development: configSchema.parse(development),
};

/** Returns the attesters that an installation of this mode trusts. */
export function attestersOf(mode: Deployment["mode"]): Attesters {
  return builds[mode];
}

/** Returns whether an installation of this mode trusts this attester root for this circuit. */
export function isTrustedRoot(mode: Deployment["mode"], circuit: AttestedCircuit, root: string): boolean {
  return builds[mode][circuit].root === root.toLowerCase();
}
