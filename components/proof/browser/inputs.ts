import type { Hex } from "viem";
import { z } from "zod";
import { buildCountryInputs } from "@/lib/proofs/attestation/country";
import { buildEligibilityInputs } from "@/lib/proofs/attestation/eligibility";
import { countryWireInputsSchema, eligibilityWireInputsSchema } from "@/lib/proofs/attestation/wire";
import { type Provider, providerSchema } from "@/lib/proofs/deployment";
import { TrustUnavailableError } from "@/lib/proofs/errors";
import { peekToken } from "@/lib/proofs/oidc/claims";
import { buildOidcInputs } from "@/lib/proofs/oidc/inputs";
import { type AttestedCircuit, attestersOf } from "@/lib/proofs/trust/attesters";
import { jwkSetSchema } from "@/lib/proofs/trust/jwks";
import type { PublicConfig } from "../config";

export interface InputsHere {
  /** The circuit's inputs by parameter name. */
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly publicInputs: readonly Hex[];
}

const keysSchema = jwkSetSchema.extend({
  issuer: z.object({
    issuer: z.string(),
    provider: providerSchema,
    webClientId: z.string(),
    deviceClientId: z.string(),
  }),
});

/** A provider's ID token and the rules that it follows. */
export interface DomainRequest {
  readonly token: string;
  readonly provider: Provider;
  /** The exact `iss`, or the pinned pattern. */
  readonly issuer: string;
}

/** Returns a domain proof's inputs; our server learns only which key signed. @throws ProofInputError, TrustUnavailableError */
export async function domainInputs(
  { token, provider, issuer }: DomainRequest,
  scope: string,
  signal: AbortSignal,
): Promise<InputsHere> {
  const { kid } = peekToken(token);
  const query = new URLSearchParams({ issuer, provider, ...(kid ? { kid } : {}) });
  const response = await fetch(`/proving/keys?${query}`, { signal, credentials: "omit" }).catch(
    (cause: unknown) => {
      signal.throwIfAborted();
      throw new TrustUnavailableError("the provider's keys cannot be fetched", { cause });
    },
  );
  const answer = keysSchema.safeParse(response.ok ? await response.json().catch(() => null) : null);
  if (!answer.success) throw new TrustUnavailableError("the provider's keys cannot be fetched");
  const { issuer: pinned, keys } = answer.data;
  const built = await buildOidcInputs({ jwt: token, jwks: { keys }, issuer: pinned, scope, provider });
  return { inputs: built.inputs, publicInputs: built.publicInputs };
}

/** Returns an attestation proof's inputs from those that a prover would receive. @throws ProofInputError */
export async function walletInputs(
  circuit: AttestedCircuit,
  wire: Readonly<Record<string, unknown>>,
  { mode, scope }: Pick<PublicConfig, "mode" | "scope">,
): Promise<InputsHere> {
  const attester = attestersOf(mode)[circuit];
  const scopes = [scope];
  const built =
    circuit === "partner_country_attestation"
      ? await buildCountryInputs({ wire: countryWireInputsSchema.parse(wire), attester, scopes })
      : await buildEligibilityInputs({
          wire: eligibilityWireInputsSchema.parse(wire),
          circuit,
          attester,
          scopes,
        });
  return { inputs: { ...built.inputs }, publicInputs: built.publicInputs };
}
