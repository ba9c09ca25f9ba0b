import { describe, expect, it } from "vitest";
import { addToByte, honest, key, refused, text } from "./refused";
import { issuerKey, payloadA, signData, signToken, type Token } from "./token";
import { bounded, limbs, nullifierOf, type Witness } from "./witness";

const otherKey = issuerKey();

describe("the text (rules 3 and 5)", () => {
  it.each([1, 2, 3])("is refused when decoded %i characters out of step", async (by) => {
    for (const earlier of [0, 1]) {
      await refused((witness) => (witness.decodeOffset += by), /json|base64url|assert_max/, honest, {
        earlier,
      });
    }
  });

  it("is refused when decoded from its header on", async () => {
    // Header length 3 modulo 4: the dot is the fourth character, and the header decodes as JSON.
    const header = '{"aud":"client","email":"ada@victim.com","email_verified":true,"iat":1760000000}';
    const payload = payloadA();
    const data = `${Buffer.from(header).toString("base64url")}.${Buffer.from(payload).toString("base64url")}`;
    expect(data.indexOf(".") % 4).toBe(3);
    const token: Token = { ...signData(key, data, header, 0), payloadStart: 0 };
    await refused(() => undefined, /json: not a key/, token, { nonce: "" });
  });

  it.each([1, 2])("is refused with unused bits that are not zero (%i bytes over)", async (over) => {
    const payload =
      ["", "x", "xx"].map((filler) => payloadA({ filler })).find(({ length }) => length % 3 === over) ?? "";
    const start = honest.payloadStart;
    const header = Buffer.from(honest.signed).subarray(0, start).toString();
    const body = Buffer.from(payload).toString("base64url");
    const last = String.fromCharCode(body.charCodeAt(body.length - 1) + 1);
    await refused(() => undefined, /json/, signData(key, header + body.slice(0, -1) + last, payload, start));
  });

  it.each(["+", "/", "=", "\n", " ", "."])("is refused with %j in it", async (char) => {
    const data = Buffer.from(honest.signed).toString();
    const damaged = `${data.slice(0, -40)}${char}${data.slice(-39)}`;
    await refused(
      () => undefined,
      /base64url|json/,
      signData(key, damaged, honest.payload, honest.payloadStart),
    );
  });

  it("is refused with bytes after its end", async () => {
    await refused((witness) => addToByte(witness, "data", 639, 65), /sha256: bytes after the end/);
    await refused((witness) => addToByte(witness, "data", witness.data.len, 65), /./);
  });

  it("is refused with any length off", async () => {
    for (const by of [-1, 1]) {
      await refused((witness) => (witness.data.len += by), /./);
      await refused((witness) => (witness.fullLength += by), /./);
      await refused((witness) => (witness.fullLength += 64 * by), /rsa|assert_max_bit_size|sha256/);
    }
    await refused((witness) => (witness.data.len = 641), /sha256: too many bytes/);
    await refused((witness) => (witness.fullLength += 2 ** 29), /assert_max_bit_size/);
  });

  it("is refused from another hash state", async () => {
    await refused((witness) => (witness.partialHash[7] = (witness.partialHash[7] ?? 0) ^ 1), /./);
    await refused((w) => (w.partialHash[0] = 1), /sha256: not the initial state/, honest, { earlier: 9 });
  });

  it("is refused with a claim changed", async () => {
    await refused((witness) => addToByte(witness, "data", 20, 1), /./);
  });
});

describe("the signature (rule 4)", () => {
  it.each(Array.from({ length: 18 }, (_, i) => i))("is refused with limb %i off by one", async (i) => {
    await refused((witness) => (witness.signature[i] = (witness.signature[i] ?? 0n) ^ 1n), /./);
  });

  it("is refused under another modulus", async () => {
    await refused((witness) => (witness.modulus = limbs(otherKey.modulus)), /./);
    await refused((witness) => (witness.modulus[0] = (witness.modulus[0] ?? 0n) + 2n), /./);
  });

  it.each(["signature", "modulus"] as const)("is refused with a limb of 121 bits in the %s", async (of) => {
    for (const i of [0, 5, 16]) {
      const borrow = (witness: Witness) => {
        witness[of][i] = (witness[of][i] ?? 0n) + (1n << 120n);
        witness[of][i + 1] = (witness[of][i + 1] ?? 0n) - 1n;
      };
      await refused(borrow, /assert_max_bit_size/);
    }
    await refused((witness) => (witness[of][17] = (witness[of][17] ?? 0n) + 256n), /assert_max_bit_size/);
  });

  it("is refused over another digest, or by another key", async () => {
    const other = signToken(key, payloadA({ nonce: "another" }));
    await refused((witness) => (witness.signature = limbs(other.signature)), /./);
    const foreign = signToken(otherKey, honest.payload);
    await refused((witness) => (witness.modulus = limbs(key.modulus)), /./, foreign);
  });
});

describe("the nullifier (rule 6)", () => {
  it("is refused when it is another's", async () => {
    await refused((witness) => (witness.nullifier[0] = (witness.nullifier[0] ?? 0) ^ 1), /oidc: nullifier/);
    await refused((witness) => (witness.nullifier[31] = (witness.nullifier[31] ?? 0) ^ 1), /oidc: nullifier/);
    await refused(
      (w) => (w.nullifier = nullifierOf("eve@example.org", Uint8Array.from(w.scope))),
      /oidc: nullifier/,
    );
  });

  it("is refused in another scope", async () => {
    await refused((witness) => (witness.scope[5] = (witness.scope[5] ?? 0) ^ 1), /oidc: nullifier/);
  });

  it("is refused for another domain", async () => {
    await refused((witness) => (witness.domain = bounded(text("victim.org"), 64)), /./);
    await refused((witness) => (witness.domain = bounded(text("example.com"), 64)), /oidc: domain/);
    await refused((witness) => (witness.domain = bounded(text("xample.org"), 64)), /json|oidc/);
  });
});
