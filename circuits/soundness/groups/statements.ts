import type { CircuitName } from "@/lib/proofs/deployment";
import { circuits } from "@/lib/proofs/registry";
import { flatNames } from "../abi";
import { isTrue, unflatten } from "../anonymous/witness";
import type { Suite } from "../suites";

/** Words of the country circuit that one witness may prove several values of. */
const LIST = ["countries", "countries_len", "is_included"];

/** Circuits whose public words have a layout; what anonymous_membership says is worked out anew instead. */
type Laid = Exclude<CircuitName, "anonymous_membership">;

function rows(id: Laid) {
  return circuits[id].layout;
}

/** What a wallet may combine as it likes: what it signed, the code it has in a scope, the list its attester is on. */
const COMBINED = [
  ["signal_hash", "domain_separator", "action_hash"],
  ["scope", "nullifier"],
  ["signer_list_merkle_root", "merkle_root"],
];

/** The public words in parts that are true of one holder independently of each other; no list of countries. */
function partsOf(id: Laid, publics: readonly bigint[]): string[] {
  const named = rows(id).filter(({ name }) => !LIST.includes(name));
  const parts =
    id === "oidc_domain_attestation"
      ? [named]
      : COMBINED.map((names) => named.filter(({ name }) => names.includes(name)));
  return parts.map((part) =>
    part.map(({ from, count }) => publics.slice(from, from + count).join()).join(";"),
  );
}

/** What honest witnesses show to be true: each of them, and what several of one wallet say together. */
export class TrueStatements {
  /** The parts of each holder's witnesses. */
  readonly #holders = new Map<string, Set<string>[]>();
  readonly #names: readonly string[];

  /** @param honest flattened inputs of honest witnesses */
  constructor(
    readonly id: CircuitName,
    readonly suite: Suite,
    honest: readonly (readonly bigint[])[],
  ) {
    const names = flatNames(suite.circuit.abi);
    this.#names = names.map(({ name }) => name);
    if (id === "anonymous_membership") return;
    for (const flat of honest) {
      const parts = partsOf(
        id,
        flat.filter((_, i) => names[i]?.isPublic),
      );
      const holder = this.#holderOf(flat);
      const known = this.#holders.get(holder) ?? parts.map(() => new Set());
      parts.forEach((part, i) => {
        known[i]?.add(part);
      });
      this.#holders.set(holder, known);
    }
  }

  /** @param flat all inputs, those with the public words among them */
  has(publics: readonly bigint[], flat: readonly bigint[]): boolean {
    if (this.id === "anonymous_membership") return isTrue(unflatten(flat));
    const parts = partsOf(this.id, publics);
    const isOfOne = [...this.#holders.values()].some((known) =>
      parts.every((part, i) => known[i]?.has(part)),
    );
    return isOfOne && isTrueList(this.id, publics, flat, this.suite);
  }

  /** The wallet's key. Identity tokens have none, and need none: what one says is a single part. */
  #holderOf(flat: readonly bigint[]): string {
    return flat.filter((_, i) => this.#names[i]?.startsWith("user_pubkey_")).join();
  }
}

/**
 * Whether the list of countries in these public inputs is one that the attestation in this witness proves: it has, or
 * has not, the country of it. The other circuits have no such list: then what else is changed decides, so this is true.
 */
function isTrueList(
  id: CircuitName,
  publics: readonly bigint[],
  flat: readonly bigint[],
  { circuit }: Suite,
): boolean {
  if (id !== "partner_country_attestation") return true;
  const row = (name: string) => {
    const found = rows(id).find((one) => one.name === name);
    if (!found) throw new RangeError(`the layout has no ${name}`);
    return publics.slice(found.from, found.from + found.count).map(Number);
  };
  const bytes = row("countries");
  const [length = 0] = row("countries_len");
  const [isIncluded = 0] = row("is_included");
  if (length < 1 || length > 10 || isIncluded > 1) return false;
  const codes = Array.from({ length: 10 }, (_, i) => String.fromCharCode(...bytes.slice(2 * i, 2 * i + 2)));
  const used = codes.slice(0, length);
  if (!used.every((code) => /^[A-Z]{2}$/.test(code)) || new Set(used).size !== length) return false;
  if (codes.slice(length).some((code) => code !== "\0\0")) return false;
  return used.includes(countryOf(flat, circuit.abi)) === (isIncluded === 1);
}

/** The country in the attestation transaction: before the account and the access list that end it. */
function countryOf(flat: readonly bigint[], abi: Suite["circuit"]["abi"]): string {
  const names = flatNames(abi).map(({ name }) => name);
  const start = names.indexOf("unsigned_transaction.storage[0]");
  const length = Number(flat[names.indexOf("unsigned_transaction.len")]);
  return String.fromCharCode(...[23, 22].map((back) => Number(flat[start + length - back] ?? 0n)));
}
