import type { SenderOptions } from "@/lib/chain/sender";
import { circuitIds, type PaymentOffer } from "@/lib/proofs/deployment";
import { noTracing, type Tracing } from "@/lib/tracing";
import type { ProverConfig } from "../config";
import { bazaarExtension } from "../seller/seller";
import type { Settlements } from "../store/settlements";
import { facilitatorAuth } from "./facilitator-auth";
import { FacilitatorSettler, type ReportProblem } from "./facilitator-settler";
import { gasBudget } from "./gas";
import { Gateway } from "./gateway";
import { GatewaySettler } from "./gateway-settler";
import type { Ledger } from "./ledger";
import { PayeeSettler } from "./payee-settler";
import type { Settlers } from "./settler";
import { TransactionSettler } from "./transaction-settler";

/** Creates a settler for each kind of settlement in the deployment's offers; `settlementProblems` has checked them. */
export function createSettlers(
  config: ProverConfig,
  ledger: Ledger,
  store: { settlements: Settlements },
  sending: SenderOptions = {},
  tracing: Tracing = noTracing,
  report?: ReportProblem,
): Settlers {
  const { offers, services, verifiers } = config.deployment;
  const { facilitatorTimeoutMs: timeoutMs, reconcileMs, settlementKey } = config;
  const chainsOf = (settlement: PaymentOffer["settlement"]) =>
    chainIds(offers.filter((offer) => offer.settlement === settlement));
  const settlers: Settlers = {};
  if (services.facilitatorUrl && chainsOf("facilitator").length > 0) {
    const url = services.facilitatorUrl;
    const auth = config.facilitatorKey && facilitatorAuth(url, config.facilitatorKey);
    const listed = circuitIds.find((id) => verifiers[id]);
    const extensions = listed && bazaarExtension(listed);
    settlers.facilitator = new FacilitatorSettler(ledger, {
      ...{ url, timeoutMs, auth, reconcileMs, extensions, tracing, report },
    });
  }
  if (settlementKey && chainsOf("payee").length > 0) {
    settlers.payee = new PayeeSettler(ledger, store.settlements, {
      key: settlementKey,
      sending,
      chainIds: chainsOf("payee"),
      confirmMs: reconcileMs,
      maxCost: (offer) => gasBudget(offer, config.deployment, config.gasShare),
    });
  }
  const batched = offers.filter((offer) => offer.settlement === "gateway");
  if (services.gatewayUrl && batched.length > 0) {
    const gateway = new Gateway({ url: services.gatewayUrl, timeoutMs });
    settlers.gateway = new GatewaySettler(gateway, { offers: batched, reconcileMs });
  }
  const transferred = offers.filter((offer) => offer.transactions);
  if (transferred.length > 0) {
    settlers.transaction = new TransactionSettler(ledger, { offers: transferred, confirmMs: reconcileMs });
  }
  return settlers;
}

function chainIds(offers: readonly PaymentOffer[]): number[] {
  return [...new Set(offers.map((offer) => offer.chainId))];
}
