import { concat, keccak256, stringToBytes, stringToHex, zeroHash } from "viem";
import { privateKeyToAccount, sign } from "viem/accounts";
import type { Case } from "../case";
import { hexOf, type Maker, type Witness } from "./make";
import { bounded, bytesOf, SCOPE, USER_KEY } from "./witness";

const user = privateKeyToAccount(USER_KEY).address;
const prefix = stringToHex("\x19Ethereum Signed Message:\n32");

/** Replaces the signal hash by one of the prover's choice, with the wallet's signature and the nullifier it gives. */
export async function bindTo(witness: Witness, signal: `0x${string}`): Promise<void> {
  const { r, s } = await sign({ hash: keccak256(concat([prefix, signal])), privateKey: USER_KEY });
  Object.assign(witness, { user_signature_r: bytesOf(r), user_signature_s: bytesOf(s) });
  witness.signal_hash = bytesOf(signal);
  const inner = keccak256(concat([user, signal]));
  witness.nullifier = bytesOf(keccak256(concat([inner, hexOf(witness.scope)])));
}

const signalOf = (address: `0x${string}`, scope: string, circuit: string) =>
  keccak256(concat([address, stringToHex(scope), stringToHex(circuit)]));

const CIRCUIT = "partner_country_attestation";
const unbound = [
  ["of the prover's own", keccak256("0x01")],
  ["of another scope", signalOf(user, "another:scope", CIRCUIT)],
  ["of another circuit", signalOf(user, SCOPE, "network_eligibility")],
  ["without a circuit", signalOf(user, SCOPE, "")],
  ["of another user", signalOf(privateKeyToAccount(`0x${"07".repeat(32)}`).address, SCOPE, CIRCUIT)],
  ["of zeros", zeroHash],
] as const;

function setScopeLength(witness: Witness, len: number): void {
  if (witness.scope_string) witness.scope_string.len = len;
}

/** Rule 9: scope and signal hash follow from one string. */
export async function scopeCases(maker: Maker): Promise<Case[]> {
  const SIGNAL = /country: signal hash/;
  const said = { signal_hash: (w: Witness, i: number) => w.signal_hash[i] };
  return Promise.all([
    ...unbound.map(([name, signal]) =>
      maker.refused(`a signal hash ${name}`, (witness) => bindTo(witness, signal), SIGNAL),
    ),
    maker.refused("an empty scope", () => undefined, /country: no scope/, { scope: "" }),
    maker.refused("a scope of 89 bytes", () => undefined, /./, { scope: "s".repeat(89) }),
    ...[0, 15, 31].map((i) =>
      maker.refused(
        `signal hash byte ${i} changed`,
        (w) => (w.signal_hash[i] = (said.signal_hash(w, i) ?? 0) ^ 1),
        SIGNAL,
      ),
    ),
    maker.refused(
      "the scope of another string",
      (w) => {
        w.scope = bytesOf(keccak256(stringToBytes("another")));
        const inner = keccak256(concat([user, hexOf(w.signal_hash)]));
        w.nullifier = bytesOf(keccak256(concat([inner, hexOf(w.scope)])));
      },
      /country: scope/,
    ),
    ...[-1, 1].map((by) =>
      maker.refused(
        `a scope string longer by ${by}`,
        (w) => {
          if (w.scope_string) w.scope_string.len += by;
        },
        /keccak|country|assert_max|Cannot/,
      ),
    ),
    ...[0, 8].map((by) =>
      maker.refused(
        `a byte ${by} after the scope string`,
        (w) => {
          const { storage, len } = w.scope_string ?? bounded([], 88);
          storage[len + by] = 1;
        },
        /keccak|assert_max|Cannot/,
      ),
    ),
    maker.refused("a scope string of length 0 with bytes", (w) => setScopeLength(w, 0), /country: no scope/),
    maker.refused("a scope string of length 200", (w) => setScopeLength(w, 200), /keccak: too many bytes/),
  ]);
}

const NOT_CODES = ["de", "D1", "@A", "A@", "[A", "A[", "D ", "ÿA", "\0\0", "A\0"] as const;

/** Rule 8: the list, its codes, and whether the country is in it. */
export async function listCases(maker: Maker): Promise<Case[]> {
  const latin = (code: string) => [...Buffer.from(code, "latin1")];
  const place = (w: Witness, i: number, code: number[]) => {
    if (w.countries) w.countries.storage[i] = code;
  };
  const setLength = (w: Witness, len: number) => {
    if (w.countries) w.countries.len = len;
  };
  const many = ["AA", "BB", "CC", "DD", "EE", "FF", "GG", "HH", "II", "DE"];
  return Promise.all([
    maker.refused("a country that is not in the list as in it", (w) => (w.is_included = true), /inclusion/, {
      country: "ES",
    }),
    maker.refused("a country that is in the list as not in it", (w) => (w.is_included = false), /inclusion/),
    maker.refused("the last of ten as not in it", (w) => (w.is_included = false), /inclusion/, {
      countries: many,
    }),
    maker.refused(
      "no country",
      (w) => {
        setLength(w, 0);
        w.is_included = false;
        place(w, 0, [0, 0]);
        place(w, 1, [0, 0]);
      },
      /countries: none/,
    ),
    maker.refused("eleven countries", (w) => setLength(w, 11), /countries: too many/, { countries: many }),
    maker.refused("2^32 - 1 countries", (w) => setLength(w, 0xffffffff), /countries: too many/, {
      countries: many,
    }),
    maker.refused("a country twice", () => undefined, /countries: twice/, { countries: ["DE", "FR", "DE"] }),
    maker.refused("a country twice in a row", () => undefined, /countries: twice/, {
      countries: ["FR", "FR", "DE"],
    }),
    maker.refused("the first and the last the same", () => undefined, /countries: twice/, {
      countries: [...many.slice(1, 10), "BB"],
    }),
    maker.refused("a country after the list", (w) => place(w, 2, latin("ES")), /countries: bytes after/),
    maker.refused(
      "the country itself after the list",
      (w) => place(w, 5, latin("DE")),
      /countries: bytes after/,
      {
        countries: ["FR"],
        isIncluded: true,
      },
    ),
    maker.refused("half a country after the list", (w) => place(w, 9, [0, 1]), /countries: bytes after/),
    maker.refused("a length of one less", (w) => setLength(w, 1), /countries/),
    maker.refused("a length of one more", (w) => setLength(w, 3), /assert_max|Cannot/),
    ...NOT_CODES.flatMap((code) => [
      maker.refused(
        `a list with ${JSON.stringify(code)}`,
        (w) => place(w, 1, latin(code)),
        /assert_max|Cannot/,
      ),
      maker.refused(
        `an attested country ${JSON.stringify(code)} in the list`,
        (w) => place(w, 0, latin(code)),
        /assert_max|Cannot/,
        { payload: withCountry(latin(code)) },
      ),
      maker.refused(
        `an attested country ${JSON.stringify(code)} not in the list`,
        (w) => (w.is_included = false),
        /assert_max|Cannot/,
        { payload: withCountry(latin(code)) },
      ),
    ]),
  ]);
}

/** The payload with other bytes where the country stands: before the last 20 bytes of data and the access list. */
function withCountry(code: readonly number[]) {
  return (payload: Uint8Array): Uint8Array =>
    payload.map((byte, i) => code[i - (payload.length - 23)] ?? byte);
}
