import { isAddressEqual } from "viem";
import type { CircuitId } from "@/lib/proofs/deployment";
import { paymentRequirementsSchema } from "@/lib/proofs/wire";
import type { PublicConfig, PublicOffer } from "../config";
import type { Run } from "./types";

/** Time in which the user's own prover must name its price. */
const PRICE_TIMEOUT_MS = 10_000;

/** Returns the configuration for a run: the user's own prover replaces the installation's. */
export function proverConfig<C extends Pick<PublicConfig, "proverUrl" | "offers">>(
  config: C,
  { prover, offers }: Pick<Run, "prover" | "offers">,
): C {
  return prover.kind === "own" ? { ...config, proverUrl: prover.origin, offers: offers ?? [] } : config;
}

/** Returns the offers of the user's own prover. Only price and payee are its choice; the rest must match our offers. */
export async function ownOffers(
  origin: string,
  circuit: CircuitId,
  config: Pick<PublicConfig, "offers">,
): Promise<readonly PublicOffer[]> {
  const { requestPrice } = await import("@/lib/proofs/client/http");
  const { accepts } = await requestPrice(
    {
      proverUrl: origin,
      fetch: (input, init) => globalThis.fetch(input, init),
      signal: AbortSignal.timeout(PRICE_TIMEOUT_MS),
    },
    circuit,
  );
  return accepts.flatMap((entry) => {
    const read = paymentRequirementsSchema.safeParse(entry);
    if (!read.success || read.data.settlement === "gateway") return [];
    const { data } = read;
    const known = config.offers.find(
      (ours) =>
        ours.network === data.network &&
        isAddressEqual(ours.asset, data.asset) &&
        isAddressEqual(ours.asset, data.eip712_domain.verifyingContract) &&
        ours.eip712.name === data.eip712_domain.name &&
        ours.eip712.version === data.eip712_domain.version,
    );
    return known ? [{ ...known, amount: data.amount, payTo: data.payTo, settlement: data.settlement }] : [];
  });
}
