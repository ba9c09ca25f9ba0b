import { peekToken } from "@/lib/proofs/oidc/claims";
import type { Trust } from "@/lib/proofs/trust/index";
import { type OidcWireInputs, oidcWireInputsSchema } from "@/lib/proofs/wire";
import { asRefusal, invalid, parseInputs } from "./refusals";
import type { CircuitParts, CircuitRow, Prepared } from "./types";

const id = "oidc_domain_attestation";

/** Proofs from identity tokens, made with the keys of our pinned issuers and no others. */
export function oidcCircuit({ trust, execute }: CircuitParts): CircuitRow {
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
