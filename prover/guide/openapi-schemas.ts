import { z } from "zod";
import { countryWireInputsSchema, eligibilityWireInputsSchema } from "@/lib/proofs/attestation/wire";
import type { CircuitId } from "@/lib/proofs/deployment";
import {
  challengeBodySchema,
  jobAcceptedSchema,
  jobSchema,
  oidcWireInputsSchema,
  proveResultSchema,
  proverErrorBodySchema,
} from "@/lib/proofs/wire";

/** What the document refers to by name. */
export const schemas = {
  ProveResult: jsonSchema(proveResultSchema),
  JobAccepted: jsonSchema(jobAcceptedSchema),
  Job: jsonSchema(jobSchema),
  Challenge: jsonSchema(challengeBodySchema),
  Error: jsonSchema(proverErrorBodySchema),
  OidcDomainAttestationInputs: jsonSchema(oidcWireInputsSchema),
  PartnerCountryAttestationInputs: jsonSchema(countryWireInputsSchema),
  EligibilityInputs: jsonSchema(eligibilityWireInputsSchema),
  EncryptedInputs: {
    type: "object",
    description:
      "Where the challenge has a teePublicKey: the JSON of the inputs as a compact JWE (alg ECDH-ES on X25519, enc A256GCM, protected header purpose = circuit id)",
    required: ["encrypted"],
    additionalProperties: false,
    properties: { encrypted: { type: "string" } },
  },
};
export type SchemaName = keyof typeof schemas;

const inputsOf: Readonly<Record<CircuitId, SchemaName>> = {
  oidc_domain_attestation: "OidcDomainAttestationInputs",
  partner_country_attestation: "PartnerCountryAttestationInputs",
  network_eligibility: "EligibilityInputs",
  regional_attestation: "EligibilityInputs",
};

/** POST /api/v1/prove: a circuit alone asks the price; each circuit has its own inputs, in clear or encrypted. */
export function requestSchema(offered: readonly CircuitId[]) {
  const ref = (name: SchemaName) => ({ $ref: `#/components/schemas/${name}` });
  return {
    oneOf: offered.map((circuit) => ({
      title: circuit,
      type: "object",
      required: ["circuit"],
      properties: {
        circuit: { const: circuit },
        inputs: { anyOf: [ref(inputsOf[circuit]), ref("EncryptedInputs")] },
      },
    })),
  };
}

function jsonSchema(schema: z.ZodType) {
  // input: what a client may send. Custom types (hex, addresses) are text on the wire.
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io: "input",
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema: each }) => {
      if (zodSchema._zod.def.type === "custom") each.type = "string";
    },
  });
  return json;
}
