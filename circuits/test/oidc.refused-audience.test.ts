import { describe, expect, it } from "vitest";
import { addToByte, key, RANGE, refused, text } from "./refused";
import { CLIENT, payloadA, payloadB, signToken } from "./token";
import { bounded } from "./witness";

/** The token of the same person that another client of the provider holds, and what it would like to show. */
const foreign = signToken(key, payloadA({ nonce: "challenge", audience: '"another-client"' }));
const pretend = { audience: CLIENT };
/** A check of the circuit, which one depends on where the bytes fall. */
const REFUSED = /json|oidc|assert_max_bit_size/;

describe("the audience", () => {
  it("is not that of another client", async () => {
    await refused(() => undefined, REFUSED, foreign, pretend);
    const same = CLIENT.replace("1", "2");
    const token = signToken(key, payloadA({ nonce: "challenge", audience: `"${same}"` }));
    await refused(() => undefined, /oidc: audience/, token, pretend);
    await refused((witness) => addToByte(witness, "audience", 3, 1), /oidc: audience/);
  });

  it("is not azp, another claim with the client in it", async () => {
    const positions = { audience: foreign.payload.indexOf('"azp"') };
    await refused(() => undefined, /json: not the claim/, foreign, { ...pretend, positions });
  });

  it.each([
    ["one byte shorter", CLIENT.slice(0, -1)],
    ["one byte longer", `${CLIENT}m`],
    ["with the closing quote", `${CLIENT}"`],
    ["without its first byte", CLIENT.slice(1)],
  ])("cannot be shown %s", async (_name, audience) => {
    await refused((witness) => (witness.audience = bounded(text(audience), 96)), REFUSED);
  });

  it("cannot be shown as empty, whether it is or not", async () => {
    await refused((witness) => (witness.audience = bounded(text(""), 96)), /oidc: audience is empty/);
    const empty = signToken(key, payloadA({ nonce: "n", audience: '""' }));
    await refused(() => undefined, /oidc: audience is empty/, empty, { audience: "" });
  });

  it("cannot be shown with bytes of an empty length", async () => {
    await refused((witness) => (witness.audience.len = 0), /oidc: audience is empty/);
  });

  it.each([
    ["a list of one", `["${CLIENT}"]`],
    ["a list of two", `["other","${CLIENT}"]`],
    ["an object", `{"aud":"${CLIENT}"}`],
    ["an object after text", `{"z":1,"aud":"${CLIENT}"}`],
    ["a number", "1234567890"],
    ["null", "null"],
    ["spaced", ` "${CLIENT}"`],
  ])("is refused as %s", async (_name, audience) => {
    const token = signToken(key, payloadA({ nonce: "challenge", audience }));
    await refused(() => undefined, /json/, token, pretend);
    const inner = token.payload.lastIndexOf('"aud"');
    await refused(() => undefined, /json/, token, { ...pretend, positions: { audience: inner } });
    const value = token.payload.indexOf(`"${CLIENT}"`, token.payload.indexOf('"aud"')) - 6;
    await refused(() => undefined, /json/, token, { ...pretend, positions: { audience: value } });
  });

  it("is refused when the token has none", async () => {
    const payload = payloadA({ nonce: "challenge" }).replace(`"aud":"${CLIENT}",`, "");
    expect(payload).not.toContain('"aud"');
    const positions = { audience: payload.indexOf('"sub"') };
    await refused(() => undefined, /json/, signToken(key, payload), { ...pretend, positions });
  });

  it("is refused in a nested object", async () => {
    const verified = `"email_verified":true,"o":{"z":1,"aud":"${CLIENT}"},"a":[{"aud":"${CLIENT}"}]`;
    const token = signToken(key, payloadA({ nonce: "n", audience: '"another-client"', verified }));
    for (const audience of [token.payload.indexOf(`"aud":"${CLIENT}`), token.payload.lastIndexOf('"aud":')]) {
      await refused(() => undefined, /json: not a key/, token, { ...pretend, positions: { audience } });
    }
  });

  it("is refused in the text of another claim", async () => {
    const inText = `\\",\\"aud\\":\\"${CLIENT}\\",\\"z\\":\\"`;
    for (const payload of [payloadA, payloadB]) {
      const token = signToken(key, payload({ nonce: "n", audience: '"another-client"', filler: inText }));
      const at = token.payload.indexOf(`aud\\":\\"${CLIENT}`);
      for (const by of [-2, -1, 0, 1]) {
        const positions = { audience: at + by };
        await refused(() => undefined, /json/, token, { ...pretend, positions });
      }
    }
  });

  it("is refused under an escaped key, or with an escape in it", async () => {
    const keyed = payloadA({ nonce: "n" }).replace('"aud":', '"\\u0061ud":');
    const positions = { audience: keyed.indexOf('"\\u0061ud"') };
    await refused(() => undefined, /json: not the claim/, signToken(key, keyed), { ...pretend, positions });
    for (const [written, shown] of [
      ["a\\\\b", "a\\\\b"],
      ["a\\u0062", "a\\u0062"],
    ] as const) {
      const token = signToken(key, payloadA({ nonce: "n", audience: `"${written}"` }));
      await refused(() => undefined, /json: a backslash/, token, { audience: shown });
    }
    const quoted = signToken(key, payloadA({ nonce: "n", audience: `"${CLIENT}\\",\\"x"` }));
    await refused(() => undefined, REFUSED, quoted, pretend);
    await refused(() => undefined, REFUSED, quoted, { audience: `${CLIENT}\\"` });
  });

  it.each(["audience", "aud_", "au", "Aud", "xaud"])("is not the claim %s", async (name) => {
    const verified = `"email_verified":true,"${name}":"${CLIENT}"`;
    const token = signToken(key, payloadA({ nonce: "n", audience: '"another-client"', verified }));
    const at = token.payload.indexOf(`"${name}"`);
    for (const by of [0, 1, name.length - 3]) {
      const positions = { audience: at + by };
      await refused(() => undefined, /json/, token, { ...pretend, positions });
    }
  });

  it("of 97 bytes cannot be shown, nor any part of it", async () => {
    const audience = "c".repeat(97);
    const token = signToken(key, payloadA({ nonce: "n", audience: `"${audience}"` }));
    await refused(() => undefined, /json/, token, { audience });
    await refused(() => undefined, /json: string end/, token, { audience: audience.slice(1) });
  });

  it("must be in sight: not left of where decoding begins", async () => {
    const token = signToken(key, payloadB({ nonce: "n", filler: "f".repeat(80) }));
    const positions = { audience: token.payload.indexOf('"email"') };
    await refused((witness) => (witness.audienceIndex = 0xffffffff), RANGE, token, { positions });
    await refused((witness) => (witness.audienceIndex = 0), /json|Index/, token, { positions });
  });
});
