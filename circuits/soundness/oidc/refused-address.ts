import type { Case } from "../case";
import { claimAddress, key, RANGE, refused, text } from "./make";
import { payloadA, signToken, type Token } from "./token";
import { bounded } from "./witness";

const written: readonly (readonly [string, string])[] = [
  ["two @", "ada@victim.com@example.org"],
  ["an @ that begins it", "@example.org"],
  ["an @ that ends it", "ada@"],
  ["no @", "ada.example.org"],
  ["a backslash", "ada\\\\@example.org"],
  ["an escaped quote", 'a\\"da@example.org'],
  ["a space", "a da@example.org"],
  ["a letter beyond ASCII", "ädä@example.org"],
  ["a control byte", "a\u007fda@example.org"],
  ["an upper-case domain", "ada@Example.org"],
  ["a domain beyond ASCII", "ada@exämple.org"],
  ["an underscore in the domain", "ada@ex_ample.org"],
  ["a domain of 65 bytes", `ada@${"d".repeat(65)}`],
  ["129 bytes", `${"l".repeat(100)}@${"d".repeat(28)}`],
];

/** With two @ in the token, either may be shown as the one before the domain. */
const twoAts = signToken(key, payloadA({ email: "ada@victim.com@example.org" }));

function spanning(nonce: string): [Token, string] {
  const token = signToken(key, payloadA({ nonce }));
  return [token, /"email":"(.*?@victim\.com)/.exec(token.payload)?.[1] ?? ""];
}

/** Rule 1: the address, its first quote, its only @, and the domain. */
export function addressCases(): Case[] {
  const [quoted, quotedSpan] = spanning('\\"@victim.com');
  const [plain, plainSpan] = spanning("@victim.com");
  return [
    refused(
      "an address that spans into the nonce, quotes and all",
      (witness) => claimAddress(witness, quotedSpan),
      RANGE,
      quoted,
      { nonce: '\\"@victim.com' },
    ),
    refused(
      "an address that spans into a nonce that is an address",
      (witness) => claimAddress(witness, plainSpan),
      RANGE,
      plain,
    ),
    ...written.map(([name, email]) =>
      refused(
        `an address with ${name}`,
        (witness) => claimAddress(witness, email),
        /./,
        signToken(key, payloadA({ email, nonce: "challenge" })),
        { email },
      ),
    ),
    refused(
      "the first of two @ taken for the last",
      (w) => {
        w.domain = bounded(text("victim.com@example.org"), 64);
      },
      /./,
      twoAts,
    ),
    ...[-1, 1].map((by) =>
      refused(`an address longer by ${by}`, (witness) => (witness.emailLength += by), /./),
    ),
    refused(
      "an address cut short of its domain's end",
      (witness) => claimAddress(witness, "ada@example.or"),
      /json: string end/,
    ),
    refused("an empty domain", (w) => (w.domain = bounded(text(""), 64)), /./),
    refused(
      "an @ that ends the address, with an empty domain",
      (w) => claimAddress(w, "ada@"),
      /./,
      signToken(key, payloadA({ email: "ada@", nonce: "challenge" })),
      { email: "ada@" },
    ),
    refused(
      "a domain that is the whole address",
      (w) => (w.domain = bounded(text("ada@example.org"), 64)),
      /./,
    ),
    refused(
      "another domain of the same length",
      (w) => (w.domain = bounded(text("example.com"), 64)),
      /oidc: domain/,
    ),
    refused("another domain", (w) => (w.domain = bounded(text("victim.org"), 64)), /./),
    refused(
      "a domain without its first letter",
      (w) => (w.domain = bounded(text("xample.org"), 64)),
      /json|oidc/,
    ),
    refused("a parent domain", (w) => (w.domain = bounded(text("org"), 64)), /json|oidc/),
  ];
}
