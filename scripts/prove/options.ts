import { parseArgs } from "node:util";
import { circuitIds, type Provider, providerSchema } from "@/lib/proofs/deployment";
import { type Options, problemOf } from "./rules";

/** A command line that means nothing; the message says what to write instead. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

export const USAGE = `npm run prove -- <circuit> [options]        also: npx parley prove <circuit> [options]

Makes one paid proof and prints it as JSON on the standard output; everything else goes to the standard error.

circuits
  oidc_domain_attestation       an address at an email domain; signs in at the identity provider (device flow)
  partner_country_attestation   the country of residence is in a list, or not
  network_eligibility           an accepted attester checked who holds the wallet
  regional_attestation          the same on the test network

what is proven
  --provider provider_a   oidc: which provider's rules; provider_a when left out
  --token-file <file>     oidc: an identity token instead of the device flow; "-" reads it from the standard input
  --countries FR,DE       country: 1 to 10 ISO 3166-1 codes; with --join the topic's own list
  --excluded              country: proves that it is none of them
  --nonce <text>          eligibility: what the proof answers; with --join the community is asked for it
  --action <file.json>    eligibility: authorises this EIP-712 action {domain, types, primaryType, message}
  --scope <text>          application scope; the community's own when left out
  --join <topicId>        joins the topic with the proof, as the bearer of PARLEY_TOKEN

what is paid
  --max-price 0.10        most that may be paid, in dollars; the price of this installation when left out
  --network eip155:8453   chain to pay on; the first offer when left out. arc-testnet-nano pays from the
                          wallet's deposit with the gateway
  --payment-wallet remote:<url>
                          a managed wallet pays (JSON-RPC eth_signTypedData_v4), instead of PAYMENT_PRIVATE_KEY
  --job <name>            goes on with a payment of an earlier run (and its --nonce) without paying again

  --yes                   signs and pays without asking; needed where nobody can be asked
  --json                  progress on the standard error as one JSON object a line
  --help

environment
  PAYMENT_PRIVATE_KEY     private key of the wallet that pays; or, with --payment-wallet:
  PAYMENT_ADDRESS           the managed wallet's account that pays
  PAYMENT_SIGNER_TOKEN      bearer token for it, where it wants one
  ATTESTATION_KEY         wallet circuits: private key of the attested wallet. It signs the statement and never pays
  PARLEY_TOKEN            session token, for --join
  PARLEY_DEPLOYMENT       description of the installation; .parley/deployment.json when left out`;

const spec = {
  countries: { type: "string" },
  excluded: { type: "boolean", default: false },
  nonce: { type: "string" },
  action: { type: "string" },
  provider: { type: "string" },
  "token-file": { type: "string" },
  scope: { type: "string" },
  join: { type: "string" },
  network: { type: "string" },
  "max-price": { type: "string" },
  "payment-wallet": { type: "string" },
  job: { type: "string" },
  yes: { type: "boolean", default: false },
  json: { type: "boolean", default: false },
  help: { type: "boolean", default: false },
} as const;

/**
 * Reads a command line.
 * @returns null when only help is wanted.
 * @throws UsageError, which repeats nothing that could be a key or a token.
 */
export function readOptions(args: readonly string[]): Options | null {
  const { values, positionals } = parse(args);
  if (values.help) return null;
  const [name, ...more] = positionals;
  if (name === undefined) throw new UsageError("Name the circuit to prove.");
  if (more.length > 0) throw new UsageError("Name one circuit only.");
  const circuit = circuitIds.find((id) => id === name);
  if (!circuit) throw new UsageError(`No such circuit. There are: ${circuitIds.join(", ")}.`);
  const options: Options = {
    circuit,
    scope: values.scope ?? null,
    countries: values.countries === undefined ? null : codesOf(values.countries),
    excluded: values.excluded,
    nonce: values.nonce ?? null,
    actionFile: values.action ?? null,
    provider: values.provider === undefined ? null : providerOf(values.provider),
    tokenFile: values["token-file"] ?? null,
    join: values.join ?? null,
    network: values.network ?? null,
    maxPrice: values["max-price"] === undefined ? null : dollarsOf(values["max-price"]),
    paymentWallet: values["payment-wallet"] === undefined ? null : remoteOf(values["payment-wallet"]),
    job: values.job ?? null,
    yes: values.yes,
    json: values.json,
  };
  const problem = problemOf(options);
  if (problem) throw new UsageError(problem);
  return options;
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: spec, allowPositionals: true, strict: true });
  } catch {
    // The parser's own words repeat arguments, and one of them may be a key or a token.
    const names = args.map((arg) => arg.split("=")[0] ?? "");
    if (names.some((name) => /key|secret|mnemonic/i.test(name))) {
      throw new UsageError(
        "Keys are read from ATTESTATION_KEY and PAYMENT_PRIVATE_KEY only. One that was written on a command line is in your shell's history: stop using it.",
      );
    }
    if (names.some((name) => /^--(id-?)?(token|jwt)$/i.test(name))) {
      throw new UsageError(
        "A token is never taken from the command line, which others on this machine can read: use --token-file, with - for the standard input.",
      );
    }
    throw new UsageError("An option is unknown, or lacks its value.");
  }
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

/** "0.10" as atomic units of a 6-decimal token. */
function dollarsOf(text: string): bigint {
  const match = /^(\d{1,9})(?:\.(\d{1,6}))?$/.exec(text);
  if (!match) throw new UsageError("--max-price takes an amount in dollars, like 0.10.");
  return BigInt(match[1] ?? "0") * 1_000_000n + BigInt((match[2] ?? "").padEnd(6, "0"));
}

/** The address behind "remote:". */
function remoteOf(text: string): string {
  const url = text.startsWith("remote:") ? text.slice("remote:".length) : "";
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (!parsed)
    throw new UsageError("--payment-wallet takes remote:<url>, like remote:https://signer.example.");
  if (parsed.username || parsed.password) {
    throw new UsageError("--payment-wallet takes no password in its address: use PAYMENT_SIGNER_TOKEN.");
  }
  return url;
}
