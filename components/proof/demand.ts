import { listed } from "@/lib/i18n/time";
import type { Words } from "@/lib/i18n/words";
import { gateCircuit } from "@/lib/policy/gate";
import type { CircuitId } from "@/lib/proofs/deployment";
import { chainName, type PublicConfig, type PublicIssuer } from "./config";
import { countryRuleOf, countryStatement, type GateTerms, issuersFor } from "./gate-words";
import type { WalletStatement } from "./run/types";

/** What a proof must show, and how it can be made. */
export type Demand =
  | {
      readonly kind: "domain";
      readonly issuers: readonly PublicIssuer[];
      /** The required domain; null when any is accepted. */
      readonly domain: string | null;
    }
  | {
      readonly kind: "wallet";
      readonly statement: WalletStatement;
      /** Whether the proof authorizes an action at a contract, instead of answering our server. */
      readonly authorizes?: boolean;
    };

/** Returns the demand of a gate; null when it asks for nothing, or this installation cannot make such a proof. */
export function demandOf(terms: GateTerms, config: PublicConfig): Demand | null {
  switch (terms.proofType) {
    case "none":
      return null;
    case "kyc":
    case "country": {
      const circuit = gateCircuit(terms.proofType);
      if (!config.attesters.some((attester) => attester.circuit === circuit)) return null;
      // Exactly the gate's list: a shorter one would disclose more about the holder than the gate requires.
      const list = countryRuleOf(terms);
      return { kind: "wallet", statement: { circuit, scope: config.scope, list, action: null } };
    }
    default:
      return {
        kind: "domain",
        issuers: issuersFor(config, terms.proofType),
        domain: terms.requiredDomain,
      };
  }
}

/** Returns the text of the seal that a run for this demand earns. */
export function demandWords(words: Words, demand: Demand): string {
  if (demand.kind === "wallet") {
    const { list } = demand.statement;
    return list ? countryStatement(words, list) : words.t("seal.person");
  }
  return demand.domain ? words.t("seal.domain", { domain: demand.domain }) : words.t("seal.anyDomain");
}

/** Returns the circuit of a demand. */
export function circuitIn(demand: Demand): CircuitId {
  return demand.kind === "wallet" ? demand.statement.circuit : "oidc_domain_attestation";
}

/** Lists the services that see a wallet's address during the lookup of its attestation, as text. */
export function askedServices(words: Words, config: PublicConfig, circuit: string): string {
  const attester = config.attesters.find((one) => one.circuit === circuit);
  if (!attester) return "";
  const chain = chainName(config, attester.chainId);
  const asked = attester.asks.map(
    ({ what, host }) => `${words.t(`attested.services.${what}`, { chain })} (${host})`,
  );
  return listed(words, asked);
}
