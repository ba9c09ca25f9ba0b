import { OFFER_RECEIPT } from "@x402/extensions/offer-receipt";
import { PAYMENT_IDENTIFIER } from "@x402/extensions/payment-identifier";
import { SIGN_IN_WITH_X } from "@x402/extensions/sign-in-with-x";
import type { CircuitId, Deployment } from "@/lib/proofs/deployment";
import { CREDIT_NOTE } from "@/lib/proofs/receipts";
import { circuits } from "@/lib/proofs/registry";
import { remembered } from "@/lib/remembered";
import type { Backend } from "./backend";
import type { Chains } from "./chains";
import { createGuide, type ServiceFacts } from "./guide/guide";
import { openapiDocument } from "./guide/openapi";
import type { Documents } from "./http/app";
import type { Health } from "./http/routes";
import { keepProofsMs } from "./jobs/upkeep";
import { requirements } from "./payment/payment";
import type { Settlers } from "./payment/settler";
import { ProverRefusal } from "./refusal";
import { bazaarExtension } from "./seller/seller";
import type { Store } from "./store/index";

interface DocumentDependencies {
  deployment: Deployment;
  offered: readonly CircuitId[];
  service: ServiceFacts;
  chains: Chains;
  store: Store;
  backend: Backend;
  settlers: Pick<Settlers, "facilitator" | "payee" | "gateway">;
}

/** Creates the guides, OpenAPI, discovery and health documents. */
export function createDocuments(deps: DocumentDependencies): Documents {
  const { deployment, offered } = deps;
  return {
    openapi: openapiDocument(deployment, offered),
    discovery: discoveryDocument(deployment, offered, deps.service),
    guide(circuit) {
      const id = offered.find((each) => each === circuit);
      if (!id) throw new ProverRefusal(404, "UNKNOWN_CIRCUIT", `guides exist for: ${offered.join(", ")}`);
      return createGuide(deployment, id, deps.service);
    },
    // Anyone may ask, and each report queries chains and services: it is cached for a moment.
    health: remembered(healthMs, async () => {
      const chainIds = new Set([
        ...deployment.offers.map((offer) => offer.chainId),
        ...offered.map((id) => deployment.verifiers[id]?.chainId ?? circuits[id].verificationChainId),
      ]);
      const { facilitator: external, payee: own, gateway: deposits } = deps.settlers;
      const [database, facilitator, payee, gateway, ...chains] = await Promise.all([
        deps.store.isReachable(),
        external?.isReachable(),
        own?.isReachable(),
        deposits?.isReachable(),
        ...[...chainIds].map(async (id) => ({ id, ok: await deps.chains.isReachable(id) })),
      ]);
      const barretenberg = deps.backend.isWarm();
      const settles = ![facilitator, payee, gateway].includes(false);
      const ok = barretenberg && database && settles && chains.every((chain) => chain.ok);
      const report: Health = {
        status: ok ? "ok" : "unavailable",
        checks: {
          barretenberg,
          database,
          chains,
          facilitator: facilitator ?? null,
          settlementAccount: payee ?? null,
          gateway: gateway ?? null,
        },
        circuits: [...offered],
        srs: deployment.srs.kind,
      };
      return { ok, report };
    }),
    // Of a second, so that a load balancer is quick to notice.
    ready: remembered(readyMs, async () => deps.backend.isWarm() && (await deps.store.isReachable())),
  };
}

const healthMs = 5_000;
const readyMs = 1_000;

/**
 * Builds GET /.well-known/x402, which has no single standard yet: indexers of origins (x402scan) read `version`,
 * `resources` and `instructions`; `items` are entries as in a facilitator's /discovery/resources, one per circuit.
 */
function discoveryDocument(
  deployment: Deployment,
  offered: readonly CircuitId[],
  { deliveryMs, receiptSigner }: ServiceFacts,
) {
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
      extensions: bazaarExtension(circuit),
    })),
    // As in x402-signals: what the seller owes after settlement.
    fulfillment_policy: {
      deadline_seconds: deliveryMs / 1000,
      counted_from: "settlement",
      on_missed: "credit",
      credit_within_seconds: 60,
      delivery: "in the answer, or by the job that a 202 names",
      status_endpoint: `${proverUrl}/api/v1/jobs/{token}`,
      kept_seconds: keepProofsMs / 1000,
      lost_answer: [
        "send the same PAYMENT-SIGNATURE with the same inputs again",
        "or sign anew with the same payment-identifier and the same inputs",
        `or sign in with the paying wallet at ${proverUrl}/api/v1/purchases (sign-in-with-x)`,
      ],
      record: `${proverUrl}/api/v1/promises`,
    },
    refund_policy: {
      remedy: "credit",
      credit: "the next payment that the payer signs for the same circuit is not charged",
      expires: null,
      refund: "the operator can pay a credit back to the payer on chain; it is listed as refunded",
      partial: false,
    },
    signals: {
      receipts: {
        format: "eip712",
        signer: receiptSigner,
        kid: `did:pkh:eip155:1:${receiptSigner}`,
        extensions: [OFFER_RECEIPT, CREDIT_NOTE],
      },
      idempotency: PAYMENT_IDENTIFIER,
      sign_in: SIGN_IN_WITH_X,
    },
  };
}
