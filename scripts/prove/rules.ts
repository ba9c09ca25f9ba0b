import type { Options } from "./options";

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
