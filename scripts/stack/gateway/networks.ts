import type { PaymentOffer } from "@/lib/proofs/deployment";
import type { GatewayNetwork } from "./check";

/** The networks that a deployment's offers settle through a gateway. */
export function servedNetworks(offers: readonly PaymentOffer[]): GatewayNetwork[] {
  return offers.flatMap(({ settlement, network, asset, verifyingContract }) =>
    settlement === "gateway" && verifyingContract ? [{ network, asset, verifyingContract }] : [],
  );
}
