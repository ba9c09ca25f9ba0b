import type { CircuitId, Deployment } from "@/lib/proofs/deployment";
import { circuits } from "@/lib/proofs/registry";
import type { Backend } from "./backend";
import type { Chains } from "./chains";
import { createGuide } from "./guide/guide";
import { openapiDocument } from "./guide/openapi";
import type { Documents } from "./http/app";
import type { Settler } from "./payment/settler";
import { Refusal } from "./refusal";
import type { Store } from "./store/index";

interface DocumentDependencies {
  deployment: Deployment;
  offered: readonly CircuitId[];
  chains: Chains;
  store: Store;
  backend: Backend;
  settlers: { facilitator?: Settler; payee?: Settler };
}

/** Guide, OpenAPI, discovery and health. */
export function createDocuments(deps: DocumentDependencies): Documents {
  const { deployment, offered } = deps;
  const { proverUrl } = deployment.services;
  return {
    openapi: openapiDocument(proverUrl),
    discovery: {
      x402Version: 2,
      resources: offered.map((circuit) => ({
        resource: `${proverUrl}/api/v1/prove`,
        method: "POST",
        body: { circuit },
        description: circuits[circuit].description,
        guide: `${proverUrl}/api/v1/guide/${circuit}`,
      })),
    },
    guide(circuit) {
      const id = offered.find((each) => each === circuit);
      if (!id) throw new Refusal(404, "UNKNOWN_CIRCUIT", `guides exist for: ${offered.join(", ")}`);
      return createGuide(deployment, id);
    },
    async health() {
      const chainIds = new Set([
        ...deployment.offers.map((offer) => offer.chainId),
        ...offered.map((id) => deployment.verifiers[id]?.chainId ?? circuits[id].verificationChainId),
      ]);
      const [database, facilitator, payee, ...chains] = await Promise.all([
        deps.store.isReachable(),
        deps.settlers.facilitator?.isReachable(),
        deps.settlers.payee?.isReachable(),
        ...[...chainIds].map(async (id) => ({ id, ok: await deps.chains.isReachable(id) })),
      ]);
      const barretenberg = deps.backend.isWarm();
      const ok =
        barretenberg &&
        database &&
        facilitator !== false &&
        payee !== false &&
        chains.every((chain) => chain.ok);
      const report = {
        status: ok ? "ok" : "unavailable",
        checks: {
          barretenberg,
          database,
          chains,
          // null: no offer is settled that way
          facilitator: facilitator ?? null,
          settlementAccount: payee ?? null,
        },
        circuits: offered,
        srs: deployment.srs.kind,
      };
      return { ok, report };
    },
  };
}
