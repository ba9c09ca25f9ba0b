import type { Case } from "../case";
import { addToByte, honest, key, refused, refusedToken } from "./make";
import { issuerKey, payloadA, signData, signToken, type Token } from "./token";
import { limbs, nullifierOf } from "./witness";

const otherKey = issuerKey("another issuer");

/** The dot of the header is a fourth character here, and the header decodes as JSON. */
function headerToken(): Token {
  const header = '{"aud":"client","email":"ada@victim.com","email_verified":true,"iat":1760000000}';
  const data = [header, payloadA()].map((part) => Buffer.from(part).toString("base64url")).join(".");
  if (data.indexOf(".") % 4 !== 3) throw new Error("the header has another length");
  return { ...signData(key, data, header, 0), payloadStart: 0 };
}

/** The honest token with other characters at the end of its text, signed as it stands. */
function resigned(text: string, payload = honest.payload): Token {
  return signData(key, text, payload, honest.payloadStart);
}

/** A text whose last character has an unused bit set; `over` bytes are in its last group. */
function dirtyBits(over: number): Token {
  const payload =
    ["", "x", "xx"].map((filler) => payloadA({ filler })).find(({ length }) => length % 3 === over) ?? "";
  const header = Buffer.from(honest.signed).subarray(0, honest.payloadStart).toString();
  const body = Buffer.from(payload).toString("base64url");
  const last = String.fromCharCode(body.charCodeAt(body.length - 1) + 1);
  return resigned(header + body.slice(0, -1) + last, payload);
}

/** Rules 3 and 5: the text, its encoding and its hash. */
export function textCases(): Case[] {
  const data = Buffer.from(honest.signed).toString();
  return [
    ...[1, 2, 3].flatMap((by) =>
      [0, 1].map((earlier) =>
        refused(
          `text decoded ${by} characters out of step, from ${earlier} blocks earlier on`,
          (witness) => (witness.decodeOffset += by),
          /json|base64url|assert_max/,
          honest,
          { earlier },
        ),
      ),
    ),
    refused("text decoded 640 characters on", (w) => (w.decodeOffset += 640), /base64url: offset/),
    refused("text decoded 2^32 - 4 characters on", (w) => (w.decodeOffset = 0xfffffffc), /base64url: offset/),
    refusedToken("text decoded from the header on", headerToken(), /json: not a key/, { nonce: "" }),
    ...[1, 2].map((over) => refusedToken(`unused bits set, ${over} bytes over`, dirtyBits(over), /json/)),
    ...["+", "/", "=", "\n", " ", ".", "\u0080"].map((char) =>
      refusedToken(
        `the character ${JSON.stringify(char)} in the text`,
        resigned(`${data.slice(0, -40)}${char}${data.slice(-39)}`),
        /base64url|json|Cannot|assert_max/,
      ),
    ),
    refused(
      "a last byte after the text",
      (w) => addToByte(w, "data", 639, 65),
      /sha256: bytes after the end/,
    ),
    refused("a byte right after the text", (w) => addToByte(w, "data", w.data.len, 65), /./),
    ...[-1, 1].flatMap((by) => [
      refused(`text longer by ${by}`, (witness) => (witness.data.len += by), /./),
      refused(`total length more by ${by}`, (witness) => (witness.fullLength += by), /./),
      refused(`total length more by ${64 * by}`, (w) => (w.fullLength += 64 * by), /./),
      refused(
        `text and total length more by ${by}`,
        (witness) => {
          witness.data.len += by;
          witness.fullLength += by;
        },
        /./,
      ),
    ]),
    refused("a text of 641 bytes", (witness) => (witness.data.len = 641), /sha256: too many bytes/),
    refused("a total length 2^29 more", (w) => (w.fullLength += 2 ** 29), /assert_max_bit_size/),
    refused(
      "a total length less than the text's",
      (w) => (w.fullLength = w.data.len - 64),
      /assert_max_bit_size/,
    ),
    refused("another hash state", (w) => (w.partialHash[7] = (w.partialHash[7] ?? 0) ^ 1), /./),
    refused("another initial state", (w) => (w.partialHash[0] = 1), /sha256: not the initial state/, honest, {
      earlier: 9,
    }),
    refused("a claim changed in the text", (witness) => addToByte(witness, "data", 20, 1), /./),
    refused("an address changed in the text", (w) => addToByte(w, "data", w.data.len - 100, 1), /./),
  ];
}

/** Rule 4: the signature. */
export function signatureCases(): Case[] {
  const other = signToken(key, payloadA({ nonce: "another" }));
  return [
    ...Array.from({ length: 18 }, (_, i) =>
      refused(`signature limb ${i} off by one`, (w) => (w.signature[i] = (w.signature[i] ?? 0n) ^ 1n), /./),
    ),
    refused("another modulus", (witness) => (witness.modulus = limbs(otherKey.modulus)), /./),
    refused("a modulus two larger", (w) => (w.modulus[0] = (w.modulus[0] ?? 0n) + 2n), /./),
    refused("another token's signature", (witness) => (witness.signature = limbs(other.signature)), /./),
    refused(
      "another key's signature",
      (witness) => (witness.modulus = limbs(key.modulus)),
      /./,
      signToken(otherKey, honest.payload),
    ),
    refused("no signature", (witness) => (witness.signature = limbs(0n)), /./),
    refused("the signature 1", (witness) => (witness.signature = limbs(1n)), /./),
    refused("the signature n - 1", (witness) => (witness.signature = limbs(key.modulus - 1n)), /./),
    refused("the signature n - s", (w) => (w.signature = limbs(key.modulus - honest.signature)), /./),
  ];
}

/** Rule 6: the nullifier. */
export function nullifierCases(): Case[] {
  return [
    ...[0, 7, 8, 31].map((i) =>
      refused(
        `nullifier byte ${i} changed`,
        (w) => (w.nullifier[i] = (w.nullifier[i] ?? 0) ^ 1),
        /oidc: nullifier/,
      ),
    ),
    refused(
      "another address's nullifier",
      (w) => (w.nullifier = nullifierOf("eve@example.org", Uint8Array.from(w.scope))),
      /oidc: nullifier/,
    ),
    refused(
      "another scope's nullifier",
      (w) => (w.nullifier = nullifierOf("ada@example.org", new Uint8Array(32))),
      /oidc: nullifier/,
    ),
    refused(
      "another scope",
      (witness) => (witness.scope[5] = (witness.scope[5] ?? 0) ^ 1),
      /oidc: nullifier/,
    ),
  ];
}
