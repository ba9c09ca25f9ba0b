import fc from "fast-check";
import { privateKeyToAccount } from "viem/accounts";
import { attestersOf } from "@/lib/proofs/trust/attesters";
import { Maker, type Witness } from "../attested/make";
import { itemsOf, string, wrapped } from "../attested/rlp";
import { USER_KEY } from "../attested/witness";
import { readAttestation } from "../reference/transaction";
import { type Group, lineOf, Tally } from "./group";

/** How a payload is made from the honest one: fields encoded anew, then bytes changed. */
interface Sample {
  fields: { field: number; encoded: Uint8Array }[];
  edits: { at: number; removed: number; added: readonly number[] }[];
  signer: number;
}

const number = (most: number): fc.Arbitrary<Uint8Array> =>
  fc.uint8Array({ minLength: 0, maxLength: most }).map((bytes) => {
    const start = bytes.findIndex((byte) => byte !== 0);
    const digits = start < 0 ? [] : [...bytes.slice(start)];
    const [only] = digits;
    return digits.length === 1 && only !== undefined && only < 0x80 ? Uint8Array.of(only) : string(...digits);
  });

/** Encodings of an integer, mostly the right one. */
const integer = (most: number): fc.Arbitrary<Uint8Array> =>
  fc.oneof(
    { weight: 12, arbitrary: number(Math.min(most, 12)) },
    { weight: 2, arbitrary: number(most + 1) },
    { weight: 1, arbitrary: fc.uint8Array({ minLength: 0, maxLength: 4 }).map((bytes) => string(...bytes)) },
    {
      weight: 1,
      arbitrary: fc
        .constantFrom([0], [0xc0], [0xc1, 0x80], [0xb8, 1, 5], [0x81, 0])
        .map((bytes) => Uint8Array.from(bytes)),
    },
  );

const limits = [8, 8, 32, 32, 8] as const;

const samples: fc.Arbitrary<Sample> = fc.record({
  fields: fc.array(
    fc
      .integer({ min: 1, max: 4 })
      .chain((field) => integer(limits[field] ?? 8).map((encoded) => ({ field, encoded }))),
    { maxLength: 4 },
  ),
  edits: fc.oneof(
    { weight: 2, arbitrary: fc.constant<Sample["edits"]>([]) },
    {
      weight: 1,
      arbitrary: fc.array(
        fc.record({
          at: fc.nat({ max: 140 }),
          removed: fc.nat({ max: 2 }),
          added: fc.array(fc.oneof(fc.nat({ max: 255 }), fc.constantFrom(0, 0x80, 0x81, 0xc0, 0xf8, 0x94)), {
            maxLength: 2,
          }),
        }),
        { minLength: 1, maxLength: 2 },
      ),
    },
  ),
  signer: fc.nat({ max: 3 }),
});

function payloadOf({ fields, edits }: Sample, honest: Uint8Array): Uint8Array {
  const items = itemsOf(honest);
  for (const { field, encoded } of fields) items[field] = encoded;
  let bytes = [...wrapped(items)];
  for (const { at, removed, added } of edits) {
    const from = at % (bytes.length + 1);
    bytes = [...bytes.slice(0, from), ...added, ...bytes.slice(from + removed)];
  }
  return Uint8Array.from(bytes);
}

/** Whether an attestation that the reference reads is what this circuit takes, and its country. */
function meaningOf(middle: Uint8Array, isCountry: boolean): { taken: boolean; country: number[] } {
  const country = [...middle.slice(10)];
  const padding = isCountry ? middle.slice(0, 10) : middle;
  const isCode = country.every((letter) => letter >= 0x41 && letter <= 0x5a);
  return { taken: padding.every((byte) => byte === 0) && (!isCountry || isCode), country };
}

/** The list of one country, as a proof of it shows it. */
function listOf(country: number[]): NonNullable<Witness["countries"]> {
  return { storage: Array.from({ length: 10 }, (_, i) => (i === 0 ? country : [0, 0])), len: 1 };
}

/** Random attestation transactions, sound and slightly broken, each signed by an attester of the list. */
export const fuzzTransactions: Group = async ({ id, suite, form, part, parts }) => {
  const yes = new Tally(id, "fuzz, reference accepts", "all");
  const no = new Tally(id, "fuzz, reference refuses", "none");
  if (id === "oidc_domain_attestation" || id === "anonymous_membership")
    throw new RangeError("this circuit reads no transaction");
  const attester = attestersOf("production")[id];
  const call = { ...attester, chainId: BigInt(attester.chainId) };
  const user = privateKeyToAccount(USER_KEY).address.toLowerCase();
  const maker = await Maker.of(id);
  const numRuns = Math.ceil((form === "short" ? 40 : 1_000) / parts);

  const check = async (sample: Sample): Promise<void> => {
    let signed: Uint8Array = new Uint8Array();
    const witness = await maker.witness({
      signerIndex: sample.signer,
      payload: (honest) => {
        signed = payloadOf(sample, honest);
        return signed;
      },
    });
    if (signed.length > 135) return; // it does not fit the parameter
    const found = readAttestation(signed, call);
    const meaning = found && meaningOf(found.middle, maker.isCountry);
    const last = [...signed.slice(signed.length - 23, signed.length - 21)];
    if (maker.isCountry) witness.countries = listOf(meaning?.country ?? last);
    const accepts = found?.account === user && meaning?.taken === true;
    const verdict = await suite.circuit.run({ ...witness }, { base: suite.honest });
    (accepts ? yes : no).count(verdict.accepted, lineOf(Buffer.from(signed).toString("hex"), verdict));
  };

  await fc
    .assert(
      fc.asyncProperty(samples, async (sample) => {
        const before = yes.problems.length + no.problems.length;
        await check(sample);
        return yes.problems.length + no.problems.length === before;
      }),
      { numRuns, seed: 20261 + part, endOnFailure: true },
    )
    .catch((error: unknown) => {
      if (yes.problems.length + no.problems.length === 0) throw error;
    });
  return [yes, no];
};
