import { parseArgs } from "node:util";
import { type AttestedCircuit, attestedCircuits } from "@/lib/proofs/trust/attesters";

/** What `npm run prove` was told. Keys are not among it: they come from the environment only. */
export interface Options {
  readonly circuit: AttestedCircuit;
  /** Application scope string; null for this installation's community. */
  readonly scope: string | null;
  /** Country circuit; null where the topic to join names the list. */
  readonly countries: readonly string[] | null;
  /** True to prove that the country is none of the list. */
  readonly excluded: boolean;
  readonly nonce: string | null;
  /** JSON file of an EIP-712 action. */
  readonly actionFile: string | null;
  /** Topic to join with the proof. */
  readonly join: string | null;
  /** CAIP-2 name of the chain to pay on; null for the first offer. */
  readonly network: string | null;
  /** Name of a payment to go on with; null for a new one. */
  readonly job: string | null;
  /** Signs and pays without asking. */
  readonly yes: boolean;
}

/** A command line that means nothing; the message says what to write instead. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

export const USAGE = `npm run prove -- <circuit> [options]

Makes one paid proof from a wallet's attestation and prints it as JSON on the standard output.

circuits
  partner_country_attestation   the country of residence is in a list, or not
  network_eligibility           an accepted attester checked who holds the wallet
  regional_attestation          the same on the test network

options
  --countries FR,DE     1 to 10 ISO 3166-1 codes; with --join the topic's own list
  --excluded            proves that the country is none of them
  --nonce <text>        eligibility circuits: what the proof answers; with --join the community is asked for it
  --action <file.json>  eligibility circuits: authorises this EIP-712 action {domain, types, primaryType, message}
  --scope <text>        application scope; the community's own when left out
  --join <topicId>      joins the topic with the proof, as the bearer of PARLEY_TOKEN
  --network eip155:8453 chain to pay on; the first offer when left out
  --job <name>          goes on with a payment of an earlier run (and its --nonce) without paying again
  --yes                 signs and pays without asking; needed where nobody can be asked
  --help

environment
  ATTESTATION_KEY       private key of the attested wallet: signs the statement, never pays
  PAYMENT_PRIVATE_KEY   private key of another wallet: pays
  PARLEY_TOKEN          session token, for --join
  PARLEY_DEPLOYMENT     description of the installation; .parley/deployment.json when left out`;

const spec = {
  countries: { type: "string" },
  excluded: { type: "boolean", default: false },
  nonce: { type: "string" },
  action: { type: "string" },
  scope: { type: "string" },
  join: { type: "string" },
  network: { type: "string" },
  job: { type: "string" },
  yes: { type: "boolean", default: false },
  help: { type: "boolean", default: false },
} as const;

/**
 * Reads a command line.
 * @returns null when only help is wanted.
 * @throws UsageError, which repeats nothing that could be a key.
 */
export function readOptions(args: readonly string[]): Options | null {
  const { values, positionals } = parse(args);
  if (values.help) return null;
  const [name, ...more] = positionals;
  if (name === undefined) throw new UsageError("Name the circuit to prove.");
  if (more.length > 0) throw new UsageError("Name one circuit only.");
  const circuit = attestedCircuits.find((id) => id === name);
  if (!circuit) throw new UsageError(wrongCircuit(name));
  const options: Options = {
    circuit,
    scope: values.scope ?? null,
    countries: values.countries === undefined ? null : codesOf(values.countries),
    excluded: values.excluded,
    nonce: values.nonce ?? null,
    actionFile: values.action ?? null,
    join: values.join ?? null,
    network: values.network ?? null,
    job: values.job ?? null,
    yes: values.yes,
  };
  const problem =
    options.circuit === "partner_country_attestation" ? countryRules(options) : eligibilityRules(options);
  if (problem) throw new UsageError(problem);
  return options;
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: spec, allowPositionals: true, strict: true });
  } catch {
    // The parser's own words repeat arguments, and one of them may be a key.
    const keyed = args.some((arg) => /key|secret|mnemonic/i.test(arg.split("=")[0] ?? ""));
    throw new UsageError(
      keyed
        ? "Keys are read from ATTESTATION_KEY and PAYMENT_PRIVATE_KEY only. One that was written on a command line is in your shell's history: stop using it."
        : "An option is unknown, or lacks its value.",
    );
  }
}

function wrongCircuit(name: string): string {
  const known = attestedCircuits.join(", ");
  return name === "oidc_domain_attestation"
    ? `oidc_domain_attestation needs an identity token, not a wallet: see docs/agents.md. Here: ${known}.`
    : `No such circuit. Here: ${known}.`;
}

function codesOf(text: string): readonly string[] {
  const codes = text.split(",").map((code) => code.trim().toUpperCase());
  if (codes.length > 10 || codes.some((code) => !/^[A-Z]{2}$/.test(code))) {
    throw new UsageError("--countries takes 1 to 10 codes of two letters, like FR,DE.");
  }
  if (new Set(codes).size !== codes.length) throw new UsageError("--countries names a country twice.");
  return codes;
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
