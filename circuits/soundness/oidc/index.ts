import type { Cases } from "../case";
import { aliasCases } from "./aliases";
import { families } from "./families";
import { hintCases } from "./hints";
import { honestCases } from "./honest";
import { addressCases } from "./refused-address";
import { audienceCases } from "./refused-audience";
import { forgedCarryCase } from "./refused-carry";
import { decodingCases, walkCases } from "./refused-decoding";
import { fieldQuotientCase, hashCases, lastColumnCase } from "./refused-hash";
import { keyCases } from "./refused-keys";
import { nullifierCases, signatureCases, textCases } from "./refused-text";
import { valueCases } from "./refused-values";

/** The named cases of oidc_domain_attestation. */
export function oidcCases(): Cases {
  return {
    honest: honestCases(),
    refused: [
      ...addressCases(),
      ...keyCases(),
      ...valueCases(),
      ...audienceCases(),
      ...textCases(),
      ...signatureCases(),
      ...nullifierCases(),
      ...hashCases(),
      ...decodingCases(),
      ...walkCases(),
      fieldQuotientCase(),
      lastColumnCase(),
      forgedCarryCase(),
    ],
    hints: hintCases(),
    aliases: aliasCases(),
    families: families(),
  };
}
