import { describe, expect, it } from "vitest";
import { committedCircuit } from "./circuit";
import { issuerKey, payloadA, payloadB, signData, signToken, type Token } from "./token";
import { bounded, type Choices, limbs, nullifierOf, type Witness, witnessOf } from "./witness";

const run = committedCircuit("oidc_domain_attestation");
const key = issuerKey();
const otherKey = issuerKey();
const text = (value: string) => new TextEncoder().encode(value);

/** Sets the revealed address to one that the prover makes up, with everything that follows from it. */
function claimAddress(witness: Witness, email: string): void {
  witness.domain = bounded(text(email.slice(email.lastIndexOf("@") + 1)), 64);
  witness.nullifier = nullifierOf(email, Uint8Array.from(witness.scope));
  witness.emailLength = text(email).length;
}

const honest = signToken(key, payloadA({ nonce: "challenge" }));

/** Asserts that an honest witness with one change is refused, for the reason given. */
async function refused(
  change: (witness: Witness) => void,
  reason: RegExp,
  token = honest,
  choices: Choices = {},
) {
  const witness = witnessOf(token, choices);
  change(witness);
  const answer = await run(witness);
  expect(answer).not.toBe("accepted");
  expect(answer).toMatch(reason);
}

const at = (
  witness: Witness,
  field: "storage" | "len",
  of: "data" | "domain" | "nonce",
  index: number,
  by: number,
) => {
  if (field === "len") witness[of].len += by;
  else witness[of].storage[index] = ((witness[of].storage[index] ?? 0) + by + 256) % 256;
};

describe("the address (rule 1)", () => {
  it("cannot span into the nonce, quotes and all", async () => {
    const nonce = '\\"@victim.com';
    const token = signToken(key, payloadA({ nonce }));
    const spanned = /"email":"(.*?@victim\.com)/.exec(token.payload)?.[1] ?? "";
    await refused((witness) => claimAddress(witness, spanned), /json: string end/, token, { nonce });
  });

  it("cannot span into a nonce that is an address", async () => {
    const token = signToken(key, payloadA({ nonce: "@victim.com" }));
    const spanned = /"email":"(.*?@victim\.com)/.exec(token.payload)?.[1] ?? "";
    await refused((witness) => claimAddress(witness, spanned), /assert_max_bit_size/, token);
  });

  it.each([
    ["two @", "ada@victim.com@example.org"],
    ["an @ that begins it", "@example.org"],
    ["an @ that ends it", "ada@"],
    ["no @", "ada.example.org"],
    ["a backslash", "ada\\\\@example.org"],
    ["an escaped quote", 'a\\"da@example.org'],
    ["a space", "a da@example.org"],
    ["a letter beyond ASCII", "ädä@example.org"],
    ["an upper-case domain", "ada@Example.org"],
    ["a domain beyond ASCII", "ada@exämple.org"],
    ["a domain of 65 bytes", `ada@${"d".repeat(65)}`],
    ["129 bytes", `${"l".repeat(100)}@${"d".repeat(28)}`],
  ])("is refused with %s", async (_name, email) => {
    const token = signToken(key, payloadA({ email, nonce: "challenge" }));
    await refused((witness) => claimAddress(witness, email), /./, token, { email });
  });

  it("is refused when the first of two @ is taken for the last", async () => {
    const token = signToken(key, payloadA({ email: "ada@victim.com@example.org" }));
    await refused((w) => (w.domain = bounded(text("victim.com@example.org"), 64)), /./, token);
  });

  it.each([-1, 1])("is refused with its length off by %i", async (by) => {
    await refused((witness) => (witness.emailLength += by), /oidc|json/);
  });

  it("is refused when the prover cuts it short of its domain's end", async () => {
    await refused((witness) => claimAddress(witness, "ada@example.or"), /json: string end/);
  });
});

describe("the keys (rule 2)", () => {
  const nested = '"email_verified":true,"o":{"email":"ada@victim.com"}';
  const escaped = '\\",\\"email\\":\\"ada@victim.com\\",\\"';

  it("email is refused in a nested object", async () => {
    const token = signToken(key, payloadA({ verified: nested }));
    const position = token.payload.indexOf('"email":"ada@victim');
    await refused((w) => claimAddress(w, "ada@victim.com"), /json: not a key/, token, {
      positions: { email: position },
    });
  });

  it("email is refused in the text of another claim", async () => {
    const token = signToken(key, payloadA({ filler: escaped }));
    for (const by of [-2, -1, 0, 1]) {
      const position = token.payload.indexOf('email\\":\\"ada@victim') + by;
      await refused((w) => claimAddress(w, "ada@victim.com"), /json/, token, {
        positions: { email: position },
      });
    }
  });

  it.each(["nonce", "verified", "iat", "email"] as const)(
    "%s is refused at any other place",
    async (name) => {
      for (const by of [-1, 1, 8]) {
        await refused((witness) => (witness[`${name}Index`] += by), /json/);
      }
      await refused((witness) => (witness[`${name}Index`] = 0), /json/);
      await refused((witness) => (witness[`${name}Index`] = 0xffffffff), /assert_max_bit_size/);
      await refused((witness) => (witness[`${name}Index`] = 500), /./);
    },
  );

  it.each([
    ["email_verified", '"o":{"email_verified":true},"email_verified":false', 0],
    ["xms_edov", '"o":{"xms_edov":true},"xms_edov":false', 1],
  ] as const)("%s is refused in a nested object", async (name, verified, provider) => {
    const token = signToken(key, provider === 0 ? payloadA({ verified }) : payloadB({ verified }));
    const positions = { verified: token.payload.indexOf(`"${name}":true`) };
    await refused(() => undefined, /json: not a key/, token, { positions });
  });

  it("nonce and iat are refused in a nested object", async () => {
    const verified = '"email_verified":true,"o":{"z":1,"nonce":"mine","iat":1770000000}';
    const token = signToken(key, payloadA({ verified, nonce: "challenge" }));
    const nonce = token.payload.indexOf('"nonce":"mine"');
    const iat = token.payload.indexOf('"iat":177');
    await refused(() => undefined, /json: not a key/, token, { nonce: "mine", positions: { nonce } });
    await refused(() => undefined, /json: not a key/, token, { nonce: "challenge", positions: { iat } });
  });
});

describe("the issuer's word for the address", () => {
  it.each([
    ['"email_verified":false', 0],
    ['"email_verified":"true"', 0],
    ['"email_verified":1', 0],
    ['"email_verified":truer', 0],
    ['"emailverified":true', 0],
    ['"xms_edov":true', 0],
    ['"xms_edov":false', 1],
    ['"xms_edov":0', 1],
    ['"xms_edov":10', 1],
    ['"xms_edov":"0"', 1],
    ['"xms_edov":"false"', 1],
    ['"xms_edov":"11"', 1],
    ['"xms_edov":"trues"', 1],
    ['"email_verified":true', 1],
  ] as const)("is not %s for provider %i", async (verified, provider) => {
    const token = signToken(key, provider === 0 ? payloadA({ verified }) : payloadB({ verified }));
    const positions = { verified: token.payload.indexOf(verified) };
    await refused(() => undefined, /json: (not the claim|value end)/, token, { provider, positions });
  });

  it("is not found in a token without the claim", async () => {
    const token = signToken(key, payloadA({ verified: '"z":1' }));
    await refused(() => undefined, /./, token, { positions: { verified: token.payload.indexOf('"z"') } });
  });

  it("must be that of the public provider", async () => {
    await refused((witness) => (witness.provider = 1), /json: not the claim/);
    await refused((witness) => (witness.provider = 0), /json: not the claim/, signToken(key, payloadB()));
    await refused((witness) => (witness.provider = 2), /oidc: provider/, signToken(key, payloadB()));
  });
});

describe("the nonce and iat", () => {
  it("a nonce in sight cannot be denied", async () => {
    for (const payload of [payloadA, payloadB]) {
      const token = signToken(key, payload({ nonce: "someone else's challenge" }));
      await refused(() => undefined, /json: the claim is there/, token, { nonce: "" });
    }
  });

  it("an empty nonce in the token is no nonce-less token", async () => {
    await refused(() => undefined, /json: the claim is there/, signToken(key, payloadA({ nonce: "" })), {
      nonce: "",
    });
  });

  it.each(["challengd", "challeng", "challenge1", ""])("the nonce cannot be shown as %j", async (nonce) => {
    await refused((witness) => (witness.nonce = bounded(text(nonce), 64)), /oidc: nonce|json/);
  });

  it.each(["nonce", "domain"] as const)("%s must have a zero tail", async (of) => {
    await refused((witness) => at(witness, "storage", of, 63, 1), new RegExp(`oidc: ${of}`));
    await refused((witness) => at(witness, "storage", of, witness[of].len, 1), new RegExp(`oidc: ${of}`));
    await refused((witness) => at(witness, "len", of, 0, 1), /json|oidc/);
    await refused((witness) => at(witness, "len", of, 0, -1), /json|oidc/);
  });

  it("without a nonce its words must be zero", async () => {
    await refused(
      (witness) => at(witness, "storage", "nonce", 0, 1),
      /oidc: nonce/,
      signToken(key, payloadA()),
    );
  });

  it("a nonce of 65 bytes cannot be shown", async () => {
    const nonce = "n".repeat(65);
    await refused(() => undefined, /json/, signToken(key, payloadA({ nonce })), { nonce });
  });

  it("iat must be the token's", async () => {
    await refused((witness) => (witness.iat += 1n), /oidc: iat/);
    await refused((witness) => (witness.iat += 1n << 63n), /oidc: iat/);
  });

  it.each(["176000000", "17600000000", "1760000000.5", '"1760000000"', "-760000000"])(
    "iat is not %s",
    async (iat) => {
      await refused(
        () => undefined,
        /json|assert_max_bit_size/,
        signToken(key, payloadA({ iat, nonce: "n" })),
      );
    },
  );
});

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
    const header = '{"email":"ada@victim.com","email_verified":true,"iat":1760000000}';
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
    await refused((witness) => at(witness, "storage", "data", 639, 65), /sha256: bytes after the end/);
    await refused((witness) => at(witness, "storage", "data", witness.data.len, 65), /./);
  });

  it("is refused with any length off", async () => {
    for (const by of [-1, 1]) {
      await refused((witness) => at(witness, "len", "data", 0, by), /./);
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
    await refused((witness) => at(witness, "storage", "data", 20, 1), /./);
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
    await refused((witness) => (witness.domain = bounded(text("xample.org"), 64)), /json|oidc/);
  });
});
