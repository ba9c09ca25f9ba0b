import type { CircuitId, Deployment } from "@/lib/proofs/deployment";
import { countryGuide, eligibilityGuide } from "./attested";
import { oidcGuide } from "./oidc";
import type { CircuitGuide } from "./types";

export type { CircuitGuide } from "./types";

/** A circuit's row here comes with its row in prover/circuits. */
export const circuitGuides: Readonly<Record<CircuitId, (deployment: Deployment) => CircuitGuide>> = {
  oidc_domain_attestation: oidcGuide,
  partner_country_attestation: countryGuide,
  network_eligibility: (deployment) => eligibilityGuide(deployment, "network_eligibility"),
  regional_attestation: (deployment) => eligibilityGuide(deployment, "regional_attestation"),
};
