import { buildCountryInputs } from "@/lib/proofs/attestation/country";
import { buildEligibilityInputs, type EligibilityCircuit } from "@/lib/proofs/attestation/eligibility";
import { checkAttestation } from "@/lib/proofs/attestation/find";
import type { BuiltInputs } from "@/lib/proofs/attestation/wallet";
import {
  type CountryWireInputs,
  countryWireInputsSchema,
  eligibilityWireInputsSchema,
} from "@/lib/proofs/attestation/wire";
import { type AttestedCircuit, attestersOf } from "@/lib/proofs/trust/attesters";
import { asRefusal, parseInputs } from "./refusals";
import type { CircuitParts, CircuitRow, Prepared } from "./types";

/** Proofs that an attested country is, or is not, in a list. */
export function countryCircuit(parts: CircuitParts): CircuitRow {
  const id = "partner_country_attestation";
  const attester = attestersOf(parts.deployment.mode)[id];
  return row(id, parts, async (inputs) => {
    const wire = parseInputs(countryWireInputsSchema, inputs);
    return { wire, built: await buildCountryInputs({ wire, attester, scopes: parts.scopes }) };
  });
}

/** Proofs that a wallet was attested, alone or authorising one action. */
export function eligibilityCircuit(id: EligibilityCircuit, parts: CircuitParts): CircuitRow {
  const attester = attestersOf(parts.deployment.mode)[id];
  return row(id, parts, async (inputs) => {
    const wire = parseInputs(eligibilityWireInputsSchema, inputs);
    return {
      wire,
      built: await buildEligibilityInputs({ wire, circuit: id, attester, scopes: parts.scopes }),
    };
  });
}

/** What was asked, and circuit inputs made from it. */
interface Request {
  wire: Pick<CountryWireInputs, "raw_transaction" | "user_address">;
  built: BuiltInputs<object, unknown>;
}

/**
 * Everything that can be computed is checked before the chain is asked, and that before the witness is solved. The
 * chain's word is needed although the circuit checks the attester's signature: a transaction may have been signed
 * and failed, and what was attested may have been revoked or replaced since.
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
