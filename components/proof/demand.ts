import { listed } from "@/lib/i18n/time";
import type { Words } from "@/lib/i18n/words";
import { gateCircuit, gateProvider } from "@/lib/policy/gate";
import type { CircuitId } from "@/lib/proofs/deployment";
import { chainName, type PublicConfig, type PublicIssuer } from "./config";
import { countryRuleOf, countryStatement, type GateTerms } from "./gate-words";
import type { WalletStatement } from "./run/types";

/** What is to be proven, and how it can be. */
export type Demand =
  | {
      readonly kind: "domain";
      readonly issuers: readonly PublicIssuer[];
      /** Domain the proof must show; null when any will do. */
      readonly domain: string | null;
    }
  | {
      readonly kind: "wallet";
      readonly statement: WalletStatement;
      /** True when the wallet authorises an action with its proof, for a contract and not for us. */
      readonly authorises?: boolean;
    };

/** The demand of a gate; null where this installation cannot make such a proof, or nothing is asked. */
export function demandOf(terms: GateTerms, config: PublicConfig): Demand | null {
  switch (terms.proofType) {
    case "none":
      return null;
    case "kyc":
    case "country": {
      const circuit = gateCircuit(terms.proofType);
      if (!config.attesters.some((attester) => attester.circuit === circuit)) return null;
      // Exactly the gate's list: a shorter one would tell more about the holder than the gate asks.
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

/** What a proof of a wallet's attestation says, for its seal. */
function walletStatementWords(words: Words, { list }: Pick<WalletStatement, "list">): string {
  return list ? countryStatement(words, list) : words.t("seal.person");
}

/** What the seal at the end of a run says, before it is known more closely. */
export function demandWords(words: Words, demand: Demand): string {
  if (demand.kind === "wallet") return walletStatementWords(words, demand.statement);
  return demand.domain ? words.t("seal.domain", { domain: demand.domain }) : words.t("seal.anyDomain");
}

/** The circuit of what is to be proven. */
export function circuitIn(demand: Demand): CircuitId {
  return demand.kind === "wallet" ? demand.statement.circuit : "oidc_domain_attestation";
}

/** Who is shown a wallet's address while its attestation is looked up, as people read it. */
export function askedServices(words: Words, config: PublicConfig, circuit: string): string {
  const attester = config.attesters.find((one) => one.circuit === circuit);
  if (!attester) return "";
  const chain = chainName(config, attester.chainId);
  const asked = attester.asks.map(
    ({ what, host }) => `${words.t(`attested.services.${what}`, { chain })} (${host})`,
  );
  return listed(words, asked);
}

/** The configured issuers whose proofs a gate takes. */
export function issuersFor(
  { issuers }: Pick<PublicConfig, "issuers">,
  type: GateTerms["proofType"],
): readonly PublicIssuer[] {
  const provider = gateProvider(type);
  return provider ? issuers.filter((issuer) => issuer.provider === provider) : issuers;
}
