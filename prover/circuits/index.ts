import type { Hex } from "viem";
import type { z } from "zod";
import { buildCountryInputs } from "@/lib/proofs/attestation/country";
import { buildEligibilityInputs, type EligibilityCircuit } from "@/lib/proofs/attestation/eligibility";
import { checkAttestation, hasAttestationSource } from "@/lib/proofs/attestation/find";
import {
  type CountryWireInputs,
  countryWireInputsSchema,
  eligibilityWireInputsSchema,
} from "@/lib/proofs/attestation/wire";
import { type CircuitId, circuitIds } from "@/lib/proofs/deployment";
import { ProofInputError, TrustUnavailableError } from "@/lib/proofs/errors";
import { peekToken } from "@/lib/proofs/oidc/claims";
import { type AttestedCircuit, attestersOf, isAttestedCircuit } from "@/lib/proofs/trust/attesters";
import type { Trust } from "@/lib/proofs/trust/index";
import { type OidcWireInputs, oidcWireInputsSchema } from "@/lib/proofs/wire";
import { WitnessError } from "../barretenberg/errors";
import { refusals } from "../refusal";
import type { CircuitParts, CircuitRow, Prepared } from "./types";

/** Circuits that this program can prove; the deployment decides which of them it offers. */
const rows: Readonly<Record<CircuitId, (parts: CircuitParts) => CircuitRow>> = {
  oidc_domain_attestation: oidcCircuit,
  partner_country_attestation: countryCircuit,
  network_eligibility: (parts) => eligibilityCircuit("network_eligibility", parts),
  regional_attestation: (parts) => eligibilityCircuit("regional_attestation", parts),
};

/**
 * Creates the offered circuits: those with a verifier in the deployment and, if they prove an attestation, a source that
 * knows whether it is still valid.
 */
export function createCircuits(parts: CircuitParts): ReadonlyMap<CircuitId, CircuitRow> {
  const { deployment } = parts;
  const offered = circuitIds.filter(
    (id) =>
      deployment.verifiers[id] !== undefined &&
      (!isAttestedCircuit(id) || hasAttestationSource(deployment, id)),
  );
  return new Map(offered.map((id) => [id, rows[id](parts)]));
}

/** Proofs that an attested country is, or is not, in a list. */
function countryCircuit(parts: CircuitParts): CircuitRow {
  const id = "partner_country_attestation";
  const attester = attestersOf(parts.deployment.mode)[id];
  return row(id, parts, async (inputs) => {
    const wire = parseInputs(countryWireInputsSchema, inputs);
    return { wire, built: await buildCountryInputs({ wire, attester, scopes: parts.scopes }) };
  });
}

/** Proofs that a wallet was attested, alone or authorizing one action. */
function eligibilityCircuit(id: EligibilityCircuit, parts: CircuitParts): CircuitRow {
  const attester = attestersOf(parts.deployment.mode)[id];
  return row(id, parts, async (inputs) => {
    const wire = parseInputs(eligibilityWireInputsSchema, inputs);
    const built = await buildEligibilityInputs({ wire, circuit: id, attester, scopes: parts.scopes });
    return { wire, built };
  });
}

/** A request, and the circuit's inputs made from it. */
interface Request {
  wire: Pick<CountryWireInputs, "raw_transaction" | "user_address">;
  built: { inputs: object; publicInputs: Hex[] };
}

/**
 * Checks what it can compute, then asks the chain, then solves the witness. The chain is needed although the circuit
 * checks the attester's signature: the signed transaction may have failed, and the attestation may have been revoked or
 * replaced.
 */
function row(
  id: AttestedCircuit,
  { deployment, execute }: CircuitParts,
  read: (inputs: Record<string, unknown>) => Promise<Request>,
): CircuitRow {
  return {
    id,
    async prepare(asked, unpaid): Promise<Prepared> {
      try {
        const { wire, built } = await read(asked);
        await checkAttestation({
          deployment,
          circuit: id,
          recipient: wire.user_address,
          rawTransaction: wire.raw_transaction,
          side: "server",
        });
        const inputs = { ...built.inputs };
        return { inputs, witness: await execute(id, inputs, unpaid), publicInputs: built.publicInputs };
      } catch (error) {
        throw asRefusal(error, { unprovable: "raw_transaction", unavailable: "attestation_unavailable" });
      }
    },
  };
}

/** Proofs from identity tokens, made with the keys of our pinned issuers and no others. */
function oidcCircuit({ trust, execute }: CircuitParts): CircuitRow {
  const id = "oidc_domain_attestation";
  return {
    id,
    withDefaults: (inputs) => oidcWireInputsSchema.safeParse(inputs).data ?? inputs,
    async prepare(inputs, unpaid): Promise<Prepared> {
      const parsed = parseInputs(oidcWireInputsSchema, inputs);
      try {
        await checkClaimedKeys(trust, parsed);
        const { jwt, scope, provider } = parsed;
        const built = await trust.oidcInputs({ jwt, scope, provider });
        const { publicInputs } = built;
        return { inputs: built.inputs, witness: await execute(id, built.inputs, unpaid), publicInputs };
      } catch (error) {
        throw asRefusal(error, { unprovable: "jwt", unavailable: "issuer_unavailable" });
      }
    },
  };
}

/**
 * Refuses a client's key set that does not contain the issuer's own key. A key set is only a claim and never part of a
 * proof, but ignoring a wrong one would leave the client with a false belief.
 */
async function checkClaimedKeys(trust: Trust, { jwt, jwks, provider }: OidcWireInputs): Promise<void> {
  if (!jwks) return;
  const { iss, kid } = peekToken(jwt);
  const issuer = trust.issuerOf(iss, provider);
  // An issuer that is not pinned gets its own refusal later.
  if (!issuer) return;
  const claimed = jwks.keys.find((key) => key.kid === kid);
  const own = (await trust.keysFor(issuer, kid)).keys.find((key) => key.kid === kid);
  if (!claimed || !own || claimed.n !== own.n || claimed.e !== own.e) {
    throw invalid("jwks", "the key set does not hold the issuer's own key of this token", "KEY_UNKNOWN");
  }
}

/** Creates 400 INVALID_INPUTS with the field and the rule it broke. */
const invalid = (field: string, message: string, reason: string) =>
  refusals.invalid("INVALID_INPUTS", message, field, reason);

/** Parses the client's `inputs`. @throws ProverRefusal 400 naming the first field that does not match */
function parseInputs<S extends z.ZodType>(schema: S, inputs: Record<string, unknown>): z.output<S> {
  const parsed = schema.safeParse(inputs);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw invalid(issue?.path[0]?.toString() ?? "inputs", issue?.message ?? "does not fit", "schema");
}

/**
 * Turns the failure of a witness into the client's refusal; returns anything unexpected unchanged.
 * @param details `unprovable`: the field to name if our checks passed and the circuit refuses; `unavailable`: the reason
 *   if the source of trust is out of reach
 */
function asRefusal(
  error: unknown,
  { unprovable, unavailable }: Record<"unprovable" | "unavailable", string>,
): unknown {
  if (error instanceof ProofInputError) return invalid(error.field, error.message, error.code);
  if (error instanceof TrustUnavailableError) {
    const message = "who vouches cannot be asked right now; try again, nothing was charged";
    return refusals.unavailable(unavailable, message);
  }
  if (error instanceof WitnessError) {
    if (error.reason === "busy") return refusals.busy("witnesses_full", 5);
    if (error.reason === "constraint" || error.reason === "inputs") {
      return invalid(unprovable, "no proof can be made from these inputs", "unprovable");
    }
    const message = "the witness could not be solved now; nothing was charged";
    return refusals.unavailable("witness_unavailable", message);
  }
  return error;
}
