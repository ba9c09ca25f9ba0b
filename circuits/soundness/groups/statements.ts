import type { CircuitId } from "@/lib/proofs/deployment";
import { circuits } from "@/lib/proofs/registry";
import { flatNames } from "../abi";
import type { Suite } from "../suites";

/** Words of the country circuit that one witness may prove several values of. */
const LIST = ["countries", "countries_len", "is_included"];

function rows(id: CircuitId) {
  return circuits[id].layout;
}

/** What one witness proves exactly one value of: the public words but for a list of countries. */
export function fixedPart(id: CircuitId, publics: readonly bigint[]): string {
  return rows(id)
    .filter(({ name }) => !LIST.includes(name))
    .map(({ from, count }) => publics.slice(from, from + count).join())
    .join(";");
}

/**
 * Whether the list of countries in these public inputs is one that the attestation in this witness proves: it has, or
 * has not, the country of it. The other circuits have no such list: then what else is changed decides, so this is true.
 */
export function isTrueList(
  id: CircuitId,
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
