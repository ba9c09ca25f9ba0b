import type { CircuitId, Provider } from "@/lib/proofs/deployment";

/** What speaks against a command line: options that do not fit the circuit or each other. Null when nothing does. */
export function problemOf(options: Options): string | null {
  switch (options.circuit) {
    case "oidc_domain_attestation":
      return identityRules(options);
    case "partner_country_attestation":
      return identityOptions(options) ?? countryRules(options);
    default:
      return identityOptions(options) ?? eligibilityRules(options);
  }
}

function identityRules({ countries, excluded, nonce, actionFile }: Options): string | null {
  if (countries || excluded) return "oidc_domain_attestation knows no countries.";
  if (nonce !== null || actionFile !== null) {
    return "oidc_domain_attestation takes neither --nonce nor --action: its nonce is in the identity token.";
  }
  return null;
}

function identityOptions({ circuit, provider, tokenFile }: Options): string | null {
  if (provider === null && tokenFile === null) return null;
  return `${circuit} is about a wallet: leave out --provider and --token-file.`;
}

function countryRules({ countries, excluded, nonce, actionFile, join }: Options): string | null {
  if (nonce !== null || actionFile !== null) return "A country proof takes neither --nonce nor --action.";
  if (!countries && !join)
    return "Say which countries: --countries FR,DE, or --join a topic that names them.";
  if (excluded && !countries) return "--excluded needs --countries.";
  return null;
}

function eligibilityRules({ countries, excluded, nonce, actionFile, join, circuit }: Options): string | null {
  if (countries || excluded) return `${circuit} knows no countries.`;
  if (actionFile !== null && nonce !== null)
    return "A proof answers a --nonce or authorises an --action, not both.";
  if (actionFile !== null && join)
    return "A proof of an action opens no topic: leave out --join or --action.";
  if (circuit === "regional_attestation" && join) return "A proof of regional_attestation opens no topic.";
  if (actionFile === null && nonce === null && !join) {
    return "Say what the proof is for: --nonce, --action or --join.";
  }
  return null;
}

/** What `npm run prove` was told. Keys and tokens are not among it: they come from the environment, a file or stdin. */
export interface Options {
  readonly circuit: CircuitId;
  /** Application scope string; null for this installation's community. */
  readonly scope: string | null;
  /** Country circuit; null where the topic to join names the list. */
  readonly countries: readonly string[] | null;
  /** True to prove that the country is none of the list. */
  readonly excluded: boolean;
  readonly nonce: string | null;
  /** JSON file of an EIP-712 action. */
  readonly actionFile: string | null;
  /** Identity provider by the circuit's rules. */
  readonly provider: Provider | null;
  /** File with an identity token, "-" for stdin; null to sign in by the device flow. */
  readonly tokenFile: string | null;
  /** Topic to join with the proof. */
  readonly join: string | null;
  /** CAIP-2 name of the chain to pay on, or of the gateway to pay from; null for the first offer. */
  readonly network: string | null;
  /** Most that may be paid, atomic units; null for the price this installation names. */
  readonly maxPrice: bigint | null;
  /** Address of a managed wallet that pays; null for PAYMENT_PRIVATE_KEY. */
  readonly paymentWallet: string | null;
  /** Name of a payment to go on with; null for a new one. */
  readonly job: string | null;
  /** Signs and pays without asking. */
  readonly yes: boolean;
  /** Progress as JSON, for programs. */
  readonly json: boolean;
}
