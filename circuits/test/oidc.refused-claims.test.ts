import { describe, it } from "vitest";
import { addToByte, claimAddress, honest, key, RANGE, refused, text } from "./refused";
import { payloadA, payloadB, signToken } from "./token";
import { bounded, type Witness } from "./witness";

describe("the address (rule 1)", () => {
  it("cannot span into the nonce, quotes and all", async () => {
    const nonce = '\\"@victim.com';
    const token = signToken(key, payloadA({ nonce }));
    const spanned = /"email":"(.*?@victim\.com)/.exec(token.payload)?.[1] ?? "";
    await refused((witness) => claimAddress(witness, spanned), RANGE, token, { nonce });
  });

  it("cannot span into a nonce that is an address", async () => {
    const token = signToken(key, payloadA({ nonce: "@victim.com" }));
    const spanned = /"email":"(.*?@victim\.com)/.exec(token.payload)?.[1] ?? "";
    await refused((witness) => claimAddress(witness, spanned), RANGE, token);
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

  it.each(["nonce", "verified", "iat", "email", "audience"] as const)(
    "%s is refused at any other place",
    async (name) => {
      for (const by of [-1, 1, 8]) {
        await refused((witness) => (witness[`${name}Index`] += by), /json|Index/);
      }
      await refused((witness) => (witness[`${name}Index`] = 0), /json|Index/);
      await refused((witness) => (witness[`${name}Index`] = 0xffffffff), RANGE);
      await refused((witness) => (witness[`${name}Index`] = 500), RANGE);
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

  it.each(["email", "nonce", "iat", "email_verified"])("another claim is not %s", async (name) => {
    const stem = name.slice(0, -1);
    const others = `"${stem}X":"ada@victim.com","${stem}Y":1770000000,"${stem}Z":true`;
    const token = signToken(
      key,
      payloadA({ verified: `"email_verified":true,${others}`, nonce: "challenge" }),
    );
    const positions = (letter: string) => ({
      [name === "email_verified" ? "verified" : name]: token.payload.indexOf(`"${stem}${letter}"`),
    });
    const lie = (witness: Witness) => {
      if (name === "email") claimAddress(witness, "ada@victim.com");
      if (name === "nonce") witness.nonce = bounded(text("ada@victim.com"), 64);
    };
    const letter = name === "iat" ? "Y" : name === "email_verified" ? "Z" : "X";
    await refused(lie, /json: not the claim/, token, { nonce: "challenge", positions: positions(letter) });
  });

  it("exp is not iat", async () => {
    const positions = { iat: honest.payload.indexOf('"exp"') };
    await refused(() => undefined, /json: not the claim/, honest, { positions });
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
    await refused((witness) => (witness.nonce = bounded(text(nonce), 64)), /oidc: nonce|json|assert_max/);
  });

  it.each(["nonce", "domain", "audience"] as const)("%s must have a zero tail", async (of) => {
    await refused(
      (witness) => addToByte(witness, of, witness[of].storage.length - 1, 1),
      new RegExp(`oidc: ${of}`),
    );
    await refused((witness) => addToByte(witness, of, witness[of].len, 1), new RegExp(`oidc: ${of}`));
    await refused((witness) => (witness[of].len += 1), /json|oidc|assert_max/);
    await refused((witness) => (witness[of].len += -1), /json|oidc|assert_max/);
  });

  it("without a nonce its words must be zero", async () => {
    await refused((witness) => addToByte(witness, "nonce", 0, 1), /oidc: nonce/, signToken(key, payloadA()));
  });

  it("a nonce of 65 bytes cannot be shown", async () => {
    const nonce = "n".repeat(65);
    const token = signToken(key, payloadA({ nonce }));
    await refused(() => undefined, /json/, token, { nonce });
    await refused(() => undefined, /json: string end/, token, { nonce: nonce.slice(1) });
  });

  it("iat must be the token's", async () => {
    await refused((witness) => (witness.iat += 1n), /oidc: iat/);
    await refused((witness) => (witness.iat += 1n << 63n), /oidc: iat/);
  });

  it.each([
    "176000000",
    "17600000000",
    "1760000000.5",
    "1760000.00",
    "17600:0000",
    '"1760000000"',
    "-760000000",
  ])("iat is not %s", async (iat) => {
    await refused(() => undefined, /json|assert_max_bit_size/, signToken(key, payloadA({ iat, nonce: "n" })));
  });
});
