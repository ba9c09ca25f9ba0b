import fc from "fast-check";
import { decodeBase64url } from "../reference/claims";
import { key } from "./make";
import { signData, type Token } from "./token";

/** A payload, how its base64url text is damaged, and for which provider it is shown. */
export interface Sample {
  payload: string;
  provider: 0 | 1;
  kid: string;
  /** Characters from the end of the encoded text, and what replaces one there. */
  damage: { at: number; by: string } | null;
}

/** Nothing, `odds` to one. */
const rarely = <T>(odds: number, arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> =>
  fc.oneof({ weight: odds, arbitrary: fc.constant(null) }, { weight: 1, arbitrary });

const word = fc.stringMatching(/^[a-z0-9]{1,12}$/);
const spice = fc.constantFrom(
  '\\"',
  "\\\\",
  "\\u0022",
  "}",
  "{",
  "[",
  "]",
  ",",
  ":",
  "ž",
  "李",
  '\\"email\\":\\"',
  "@",
  " ",
);
const prose = fc
  .array(fc.oneof({ weight: 3, arbitrary: word }, { weight: 1, arbitrary: spice }), { maxLength: 4 })
  .map((parts) => parts.join(""));

const domains = fc.oneof(
  { weight: 25, arbitrary: fc.stringMatching(/^[a-z0-9-]{1,20}(\.[a-z0-9]{1,6}){1,2}$/) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "Example.org",
      "exa mple.org",
      "",
      "a_b.c",
      "é.org",
      "x@y.org",
      "d".repeat(65),
    ),
  },
);
const emails = fc
  .tuple(fc.stringMatching(/^[!#-?A-[\]-~]{1,20}$/), domains)
  .map(([local, domain]) => `${local}@${domain}`);
const values = fc.oneof(
  prose.map((text) => `"${text}"`),
  fc.constantFrom("1", "true", "null", "-1.5e3", '""', "[]", "{}"),
);

/** Nested values, up to deeper than the circuit counts. */
const nested: fc.Arbitrary<string> = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 6, withCrossShrink: true },
    values,
    fc.array(tie("value"), { maxLength: 2 }).map((items) => `[${items.join()}]`),
    fc
      .array(
        fc.tuple(fc.constantFrom("email", "aud", "iat", "a", "email_verified", "xms_edov"), tie("value")),
        { maxLength: 2 },
      )
      .map((entries) => `{${entries.map(([name, value]) => `"${name}":${value}`).join()}}`),
  ),
})).value;

const client = fc.oneof(
  { weight: 25, arbitrary: fc.stringMatching(/^[a-z0-9.-]{1,40}$/).map((id) => `"${id}"`) },
  { weight: 1, arbitrary: nested },
);
const time = fc.oneof(
  { weight: 25, arbitrary: fc.integer({ min: 1_000_000_000, max: 9_999_999_999 }).map(String) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "999999999",
      "17600000000",
      "1760000000.0",
      '"1760000000"',
      "0000000000",
      "-176000000",
    ),
  },
);
const verdicts = fc.oneof(
  { weight: 25, arbitrary: fc.constantFrom("true", "1", '"1"', '"true"') },
  { weight: 1, arbitrary: fc.constantFrom("false", "0", '"0"', "True", "truex", "11", " true", "[true]") },
);
const nonces = fc.oneof(
  { weight: 25, arbitrary: fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/).map((nonce) => `"${nonce}"`) },
  {
    weight: 1,
    arbitrary: fc.oneof(
      fc.constantFrom('""', "1", `"${"n".repeat(65)}"`),
      nested,
      prose.map((text) => `"${text}"`),
    ),
  },
);

/** Claims in any order, some missing, none twice at the top. */
const payloads: fc.Arbitrary<{ payload: string; provider: 0 | 1 }> = fc
  .record({
    provider: fc.constantFrom(0 as const, 1 as const),
    email: emails,
    verdict: verdicts,
    nonce: fc.option(nonces),
    iat: time,
    aud: client,
    others: fc.array(
      fc.tuple(fc.constantFrom("sub", "name", "o", "groups", "azp", "nonces", "email_"), nested),
      { maxLength: 3 },
    ),
    missing: rarely(20, fc.nat({ max: 4 })),
    order: fc.infiniteStream(fc.nat()),
  })
  .map(({ provider, email, verdict, nonce, iat, aud, others, missing, order }) => {
    const verified = provider === 0 ? "email_verified" : "xms_edov";
    const claims: [string, string][] = [
      ["email", `"${email}"`],
      [verified, verdict],
      ["iat", iat],
      ["aud", aud],
      ...(nonce === null ? [] : [["nonce", nonce] satisfies [string, string]]),
    ];
    const all = [
      ...claims.filter((_, i) => i !== missing),
      ...others.filter(([name], i) => others.findIndex(([other]) => other === name) === i),
    ];
    const sorted = all.map((claim) => ({ claim, rank: order.next().value })).sort((a, b) => a.rank - b.rank);
    return {
      provider,
      payload: `{${sorted.map(({ claim: [name, value] }) => `"${name}":${value}`).join()}}`,
    };
  });

const edits = fc.array(
  fc.tuple(
    fc.nat(),
    fc.nat({ max: 2 }),
    fc.constantFrom('"', "\\", "{", "}", "[", "]", ",", ":", " ", "\n", "\0", "x", "@", "1"),
  ),
  { maxLength: 2 },
);

/** Tokens of either provider: sound, or with a few characters changed before or after they are encoded. */
export const samples: fc.Arbitrary<Sample> = fc
  .record({
    made: payloads,
    edits: rarely(1, edits),
    kid: fc.stringMatching(/^[a-z0-9]{1,6}$/),
    damage: rarely(
      8,
      fc.record({
        at: fc.nat({ max: 12 }),
        by: fc.constantFrom("", "A", "B", "_", "-", "+", "/", "=", "AA", ".", "Q", "fQ", "f"),
      }),
    ),
  })
  .map(({ made, edits: changes, kid, damage }) => {
    let { payload } = made;
    for (const [place, removed, added] of changes ?? []) {
      const at = place % (payload.length + 1);
      payload = payload.slice(0, at) + added + payload.slice(at + removed);
    }
    return { payload, provider: made.provider, kid, damage };
  });

/** The token of a sample, signed as it stands, with what its text decodes to. */
export function tokenOf({ payload, kid, damage }: Sample): { token: Token; encoded: string } {
  const header = Buffer.from(`{"alg":"RS256","kid":"${kid}"}`).toString("base64url");
  let encoded = Buffer.from(payload).toString("base64url");
  if (damage) {
    const at = Math.max(0, encoded.length - damage.at);
    encoded = encoded.slice(0, at) + damage.by + encoded.slice(at + 1);
  }
  const decoded = (decodeBase64url(encoded) ?? Buffer.from(payload)).toString();
  return { token: signData(key, `${header}.${encoded}`, decoded, header.length + 1), encoded };
}
