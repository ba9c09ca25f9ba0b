import type { CircuitId, Deployment } from "@/lib/proofs/deployment";
import { circuits } from "@/lib/proofs/registry";
import { requirements } from "../payment/payment";

/**
 * GET /.well-known/x402. There is no one standard for it yet: `version`, `resources` and `instructions` are what
 * indexers read at an origin (x402scan), `items` are entries as a facilitator's /discovery/resources has them, one for
 * each circuit.
 */
export function discoveryDocument(deployment: Deployment, offered: readonly CircuitId[]) {
  const { proverUrl } = deployment.services;
  const resource = `${proverUrl}/api/v1/prove`;
  return {
    version: 1,
    x402Version: 2,
    resources: [resource],
    instructions: `POST ${resource} with {"circuit": "<id>"} asks the price. ${proverUrl}/api/v1/guide/<id> says what to send, ${proverUrl}/openapi.json describes the API.`,
    items: offered.map((circuit) => ({
      resource,
      type: "http",
      x402Version: 2,
      accepts: deployment.offers.map(requirements),
      metadata: {
        method: "POST",
        body: { circuit },
        description: circuits[circuit].description,
        guide: `${proverUrl}/api/v1/guide/${circuit}`,
        openapi: `${proverUrl}/openapi.json`,
        mimeType: "application/json",
      },
    })),
  };
}
