import { ProofInputError, TrustUnavailableError } from "@/lib/proofs/errors";
import { peekToken } from "@/lib/proofs/oidc/claims";
import type { Trust } from "@/lib/proofs/trust/index";
import { type OidcWireInputs, oidcWireInputsSchema } from "@/lib/proofs/wire";
import { WitnessError } from "../barretenberg/errors";
import { Refusal, refusals } from "../refusal";
import type { CircuitRow, Execute, Prepared } from "./types";

const id = "oidc_domain_attestation";

/** Proofs from identity tokens, made with the keys of our pinned issuers and no others. */
export function oidcCircuit(trust: Trust, execute: Execute): CircuitRow {
  return {
    id,
    async prepare(inputs): Promise<Prepared> {
      const parsed = oidcWireInputsSchema.safeParse(inputs);
      if (!parsed.success) {
        const issue = parsed.error.issues[0];
        throw invalid(issue?.path[0]?.toString() ?? "inputs", issue?.message ?? "does not fit", "schema");
      }
      try {
        await checkClaimedKeys(trust, parsed.data);
        const { jwt, scope, provider } = parsed.data;
        const built = await trust.oidcInputs({ jwt, scope, provider });
        return { witness: await execute(id, built.inputs), publicInputs: built.publicInputs };
      } catch (error) {
        throw asRefusal(error);
      }
    },
  };
}

/**
 * A client's key set is only a claim: it never takes part in a proof. One that names another key than the
 * issuer's own is refused rather than ignored, since the client believes something that is not so.
 */
async function checkClaimedKeys(trust: Trust, { jwt, jwks, provider }: OidcWireInputs): Promise<void> {
  if (!jwks) return;
  const { iss, kid } = peekToken(jwt);
  const issuer = trust.issuerOf(iss, provider);
  // An issuer that is not pinned has its own refusal, with its own reason.
  if (!issuer) return;
  const claimed = jwks.keys.find((key) => key.kid === kid);
  const own = (await trust.keysFor(issuer, kid)).keys.find((key) => key.kid === kid);
  if (!claimed || !own || claimed.n !== own.n || claimed.e !== own.e) {
    throw invalid("jwks", "the key set does not hold the issuer's own key of this token", "KEY_UNKNOWN");
  }
}

function invalid(field: string, message: string, reason: string): Refusal {
  return new Refusal(400, "INVALID_INPUTS", message, { field, reason });
}

function asRefusal(error: unknown): unknown {
  if (error instanceof ProofInputError) return invalid(error.field, error.message, error.code);
  if (error instanceof TrustUnavailableError) {
    return refusals.unavailable(
      "issuer_unavailable",
      "the issuer's keys are out of reach; nothing was charged",
    );
  }
  if (error instanceof WitnessError) {
    return error.reason === "constraint" || error.reason === "inputs"
      ? invalid("jwt", "no proof can be made from this token", "unprovable")
      : refusals.unavailable(
          "witness_unavailable",
          "the witness could not be solved now; nothing was charged",
        );
  }
  return error;
}
