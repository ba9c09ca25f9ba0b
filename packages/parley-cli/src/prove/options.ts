import { parseArgs } from "node:util";
import { type CircuitId, circuitIds, type Provider, providerSchema } from "@/lib/proofs/deployment";

/** The command line is not valid. The message says what to write instead. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

export const USAGE = `parley prove <circuit> [options]

Buys one proof and prints it as JSON on standard output; everything else goes to standard error.

circuits
  oidc_domain_attestation       an address at an email domain; signs in at the identity provider (device flow)
  partner_country_attestation   the country of residence is in a list, or not
  network_eligibility           an accepted attester checked who holds the wallet
  regional_attestation          the same on the test network

statement
  --provider provider_a   oidc: which provider's rules; default provider_a
  --token-file <file>     oidc: an identity token instead of the device flow; "-" reads standard input
  --countries FR,DE       country: 1 to 10 ISO 3166-1 codes; with --join the topic's own list
  --excluded              country: proves that the country is not in the list
  --nonce=<text>          eligibility: the challenge to answer; with --join the community issues it
  --action <file.json>    eligibility: authorizes this EIP-712 action {domain, types, primaryType, message}
  --scope <text>          application scope; default the community's
  --join <topicId>        joins the topic with the proof, as the member that --login signed in
  --login                 oidc, eligibility: signs in with the proof, and keeps the session on this device
  --nickname <name>       with --login: the nickname of a new member
  --url <address>         the installation, if not the one signed in to last (PARLEY_URL)

payment
  --max-price 0.10        maximum price in dollars; default 0.10
  --network eip155:8453   chain to pay on; default the first offer. arc-testnet-nano pays from the
                          wallet's gateway deposit
  --payment-wallet remote:<url>
                          a managed wallet pays (JSON-RPC eth_signTypedData_v4), instead of PAYMENT_PRIVATE_KEY
  --job <name>            resumes a payment of an earlier run (with its --nonce) without paying again; a
                          sign-in within five minutes

  --yes                   signs and pays without confirmation; required without a terminal
  --json                  writes progress to standard error as one JSON object per line
  --help

environment
  PAYMENT_PRIVATE_KEY     private key of the wallet that pays; or, with --payment-wallet:
  PAYMENT_ADDRESS           the managed wallet's account that pays
  PAYMENT_SIGNER_TOKEN      bearer token for it, if required
  ATTESTATION_KEY         wallet circuits: private key of the attested wallet. It signs the statement and never pays
  PARLEY_TOKEN            session token for --join, instead of the kept one`;

const spec = {
  countries: { type: "string" },
  excluded: { type: "boolean", default: false },
  nonce: { type: "string" },
  action: { type: "string" },
  provider: { type: "string" },
  "token-file": { type: "string" },
  scope: { type: "string" },
  join: { type: "string" },
  login: { type: "boolean", default: false },
  nickname: { type: "string" },
  url: { type: "string" },
  network: { type: "string" },
  "max-price": { type: "string" },
  "payment-wallet": { type: "string" },
  job: { type: "string" },
  yes: { type: "boolean", default: false },
  json: { type: "boolean", default: false },
  help: { type: "boolean", default: false },
} as const;

/**
 * Parses a command line.
 * @returns null for --help
 * @throws UsageError, which repeats nothing that could be a key or a token
 */
export function readOptions(args: readonly string[]): Options | null {
  const { values, positionals } = parse(args);
  if (values.help) return null;
  const [name, ...more] = positionals;
  if (name === undefined) throw new UsageError("Name the circuit to prove.");
  if (more.length > 0) throw new UsageError("Name one circuit only.");
  const circuit = circuitIds.find((id) => id === name);
  if (!circuit) throw new UsageError(`Unknown circuit. Available: ${circuitIds.join(", ")}.`);
  const options = optionsOf(circuit, values);
  const problem = problemOf(options);
  if (problem) throw new UsageError(problem);
  return options;
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: spec, allowPositionals: true, strict: true });
  } catch {
    // The parser's message repeats arguments, and one of them may be a key or a token.
    const names = args.map((arg) => arg.split("=")[0] ?? "");
    if (names.some((name) => /key|secret|mnemonic/i.test(name))) {
      throw new UsageError(
        "Set keys in ATTESTATION_KEY and PAYMENT_PRIVATE_KEY only. A key from a command line is in your shell's history: stop using it.",
      );
    }
    if (names.some((name) => /^--(id-?)?(token|jwt)$/i.test(name))) {
      throw new UsageError(
        "The command line takes no tokens, because other users of this machine can read it. Use --token-file, with - for standard input.",
      );
    }
    throw new UsageError("An option is unknown, or its value is missing.");
  }
}

/** The options of `parley prove`. Keys and tokens are not among them: they come from the environment, a file or stdin. */
export type Options = ReturnType<typeof optionsOf>;

function optionsOf(circuit: CircuitId, values: ReturnType<typeof parse>["values"]) {
  return {
    circuit,
    scope: values.scope ?? null,
    countries: values.countries === undefined ? null : codesOf(values.countries),
    excluded: values.excluded,
    nonce: values.nonce ?? null,
    actionFile: values.action ?? null,
    provider: values.provider === undefined ? null : providerOf(values.provider),
    tokenFile: values["token-file"] ?? null,
    join: values.join ?? null,
    login: values.login,
    nickname: values.nickname ?? null,
    url: values.url,
    network: values.network ?? null,
    /** In atomic units. */
    maxPrice: values["max-price"] === undefined ? null : dollarsOf(values["max-price"]),
    paymentWallet: values["payment-wallet"] === undefined ? null : remoteOf(values["payment-wallet"]),
    job: values.job ?? null,
    yes: values.yes,
    json: values.json,
  };
}

function codesOf(text: string): readonly string[] {
  const codes = text.split(",").map((code) => code.trim().toUpperCase());
  if (codes.length > 10 || codes.some((code) => !/^[A-Z]{2}$/.test(code))) {
    throw new UsageError("--countries takes 1 to 10 codes of two letters, like FR,DE.");
  }
  if (new Set(codes).size !== codes.length) throw new UsageError("--countries names a country twice.");
  return codes;
}

function providerOf(text: string): Provider {
  const provider = providerSchema.safeParse(text);
  if (provider.success) return provider.data;
  throw new UsageError(`--provider takes ${providerSchema.options.join(" or ")}.`);
}

/** Converts "0.10" to atomic units of a token with six decimals. */
function dollarsOf(text: string): bigint {
  const match = /^(\d{1,9})(?:\.(\d{1,6}))?$/.exec(text);
  if (!match) throw new UsageError("--max-price takes an amount in dollars, like 0.10.");
  return BigInt(match[1] ?? "0") * 1_000_000n + BigInt((match[2] ?? "").padEnd(6, "0"));
}

/** Returns the URL after "remote:". */
function remoteOf(text: string): string {
  const url = text.startsWith("remote:") ? text.slice("remote:".length) : "";
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (!parsed)
    throw new UsageError("--payment-wallet takes remote:<url>, like remote:https://signer.example.");
  if (parsed.username || parsed.password) {
    throw new UsageError("--payment-wallet takes no password in its URL: use PAYMENT_SIGNER_TOKEN.");
  }
  return url;
}

/** Returns the problem of options that do not fit the circuit or each other; null when there is none. */
function problemOf(options: Options): string | null {
  const { circuit, countries, excluded, nonce, actionFile, provider, tokenFile, join, login } = options;
  const isIdentity = circuit === "oidc_domain_attestation";
  if (!isIdentity && (provider !== null || tokenFile !== null)) {
    return `${circuit} is about a wallet: leave out --provider and --token-file.`;
  }
  if (options.nickname !== null && !login) return "--nickname needs --login.";
  if (login && (join || actionFile !== null)) return "--login takes neither --join nor --action.";
  if (login && circuit !== "oidc_domain_attestation" && circuit !== "network_eligibility")
    return `A proof of ${circuit} does not sign in.`;
  if (login && circuit === "network_eligibility" && options.job !== null && nonce === null)
    return "The --job of a --login needs its --nonce.";
  if (login && nonce !== null && options.job === null)
    return "The community issues the --nonce of a --login.";
  if (circuit === "partner_country_attestation") {
    if (nonce !== null || actionFile !== null) return "A country proof takes neither --nonce nor --action.";
    if (!countries && !join) return "Name the countries: --countries FR,DE, or --join a topic with a list.";
    return excluded && !countries ? "--excluded needs --countries." : null;
  }
  if (countries || excluded) return `${circuit} takes no countries.`;
  if (isIdentity) {
    if (nonce === null && actionFile === null) return null;
    return "oidc_domain_attestation takes neither --nonce nor --action: its nonce is in the identity token.";
  }
  if (actionFile !== null && nonce !== null)
    return "A proof answers a --nonce or authorizes an --action, not both.";
  if (actionFile !== null && join)
    return "A proof of an action opens no topic: leave out --join or --action.";
  if (circuit === "regional_attestation" && join) return "A proof of regional_attestation opens no topic.";
  if (actionFile === null && nonce === null && !join && !login) {
    return "Say what the proof is for: --nonce, --action, --join or --login.";
  }
  return null;
}
