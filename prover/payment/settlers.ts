import type { PaymentOffer } from "@/lib/proofs/deployment";
import type { ProverConfig } from "../config";
import type { Outbox } from "../store/outbox";
import { FacilitatorSettler } from "./facilitator-settler";
import type { Ledger } from "./ledger";
import { PayeeSettler } from "./payee-settler";
import { Sender, type SenderOptions } from "./sender";
import type { Settlers } from "./settler";

/** One settler for each way that an offer of the deployment asks for; `settlementProblems` refused what cannot be. */
export function createSettlers(
  config: ProverConfig,
  ledger: Ledger,
  store: { outbox: Outbox },
  options: Pick<SenderOptions, "checkpoint" | "replaceAfterMs"> = {},
): Settlers {
  const { offers, services } = config.deployment;
  const { facilitatorTimeoutMs: timeoutMs, reconcileMs, settlementKey } = config;
  const chainsOf = (settlement: PaymentOffer["settlement"]) => [
    ...new Set(offers.filter((offer) => offer.settlement === settlement).map((offer) => offer.chainId)),
  ];
  const settlers: Settlers = {};
  if (services.facilitatorUrl && chainsOf("facilitator").length > 0) {
    const url = services.facilitatorUrl;
    settlers.facilitator = new FacilitatorSettler(ledger, { url, timeoutMs, reconcileMs });
  }
  if (settlementKey && chainsOf("payee").length > 0) {
    const sender = new Sender(ledger.chains, store.outbox, { key: settlementKey, ...options });
    settlers.payee = new PayeeSettler(ledger, sender, {
      chainIds: chainsOf("payee"),
      confirmMs: reconcileMs,
    });
  }
  return settlers;
}
