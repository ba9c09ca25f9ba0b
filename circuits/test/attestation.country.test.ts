import { concat, type Hex, keccak256, stringToHex } from "viem";
import { privateKeyToAccount, sign } from "viem/accounts";
import { describe, expect, it } from "vitest";
import { build, bytesOf, type CountryInputs, SCOPE, testKey, USER_KEY } from "../soundness";
import { flip, type Named } from "./attestation-faults";
import { RANGE, refused, run, withByte } from "./attestation-run";

describe("partner_country_attestation refuses", () => {
  const circuit = "partner_country_attestation";

  /** The witness of a wallet that signs and hashes to a signal of its own choice. */
  async function unbound(signal: Hex): Promise<CountryInputs> {
    const { inputs } = await build(circuit, "production");
    const { address } = privateKeyToAccount(USER_KEY);
    const hash = keccak256(concat([stringToHex("\x19Ethereum Signed Message:\n32"), signal]));
    const { r, s } = await sign({ hash, privateKey: USER_KEY });
    const scope: Hex = `0x${Buffer.from(inputs.scope).toString("hex")}`;
    inputs.signal_hash = bytesOf(signal);
    inputs.user_signature_r = bytesOf(r);
    inputs.user_signature_s = bytesOf(s);
    inputs.nullifier = bytesOf(keccak256(concat([keccak256(concat([address, signal])), scope])));
    return inputs;
  }

  it.each([
    ["of a wallet's own choice", keccak256("0x01")],
    [
      "of another scope",
      keccak256(
        concat([privateKeyToAccount(USER_KEY).address, stringToHex(`${SCOPE}2`), stringToHex(circuit)]),
      ),
    ],
    [
      "of another circuit",
      keccak256(
        concat([
          privateKeyToAccount(USER_KEY).address,
          stringToHex(SCOPE),
          stringToHex("network_eligibility"),
        ]),
      ),
    ],
    [
      "of another account",
      keccak256(
        concat([privateKeyToAccount(testKey(1, 1)).address, stringToHex(SCOPE), stringToHex(circuit)]),
      ),
    ],
  ])("a signal hash %s", async (_name, signal) => {
    expect(await run(circuit, await unbound(signal))).toMatch(/country: signal hash/);
  });

  it("a scope string that moves into the circuit's id", async () => {
    // address ‖ "…1p" ‖ "artner…" would be the same bytes.
    const { inputs } = await build(circuit, "production");
    inputs.scope_string.storage[SCOPE.length] = 0x70;
    inputs.scope_string.len++;
    expect(await run(circuit, inputs)).toMatch(/country: scope/);
  });

  const refusals: Named<typeof circuit> = [
    ["no scope string", { overrides: { scope: "" }, reason: /country: no scope/ }],
    ["a scope string of 89 bytes", { overrides: { scope: "s".repeat(89) }, reason: /too many bytes|Cannot/ }],
    [
      "a byte after the scope string",
      {
        change: ({ scope_string: s }) => {
          s.storage[s.len] = 1;
        },
        reason: RANGE,
      },
    ],
    [
      "a byte at the scope string's end",
      {
        change: ({ scope_string: s }) => {
          s.storage[87] = 1;
        },
        reason: /after the end/,
      },
    ],
    ["a shorter scope string", { change: ({ scope_string: s }) => void s.len--, reason: RANGE }],
    ["a scope that is not the string's", { change: ({ scope }) => flip(scope), reason: /country: scope/ }],
    [
      "inclusion of a country that is not listed",
      { overrides: { country: "IT", isIncluded: true }, reason: /inclusion/ },
    ],
    [
      "exclusion of a country that is listed",
      { overrides: { country: "DE", isIncluded: false }, reason: /inclusion/ },
    ],
    [
      "a lower-case country in the attestation",
      { overrides: { country: "de", countries: ["FR"] }, reason: RANGE },
    ],
    [
      "a country of zeros in the attestation",
      { overrides: { country: "\0\0", countries: ["FR"] }, reason: RANGE },
    ],
    ["a lower-case country in the list", { overrides: { countries: ["DE", "fr"] }, reason: RANGE }],
    ["a country with a digit in the list", { overrides: { countries: ["DE", "F1"] }, reason: RANGE }],
    ["a country twice", { overrides: { countries: ["DE", "FR", "DE"] }, reason: /countries: twice/ }],
    [
      "another country twice",
      { overrides: { countries: ["FR", "DE", "IT", "IT"] }, reason: /countries: twice/ },
    ],
    ["an empty list", { overrides: { countries: [], isIncluded: false }, reason: /countries: none/ }],
    [
      "a list of eleven",
      {
        overrides: { countries: "AA BB CC DD EE FF GG HH II JJ".split(" ") },
        change: ({ countries }) => {
          countries.len = 11;
        },
        reason: /countries: too many|Cannot satisfy/,
      },
    ],
    [
      "an entry after the list",
      {
        change: ({ countries }) => {
          countries.storage[5] = [0x41, 0x41];
        },
        reason: /countries: bytes after/,
      },
    ],
    [
      "zeros within the list",
      {
        change: ({ countries }) => {
          countries.len = 3;
        },
        reason: RANGE,
      },
    ],
    [
      "a padding byte before the country",
      { overrides: withByte(-24, () => 0x20), reason: /country: padding/ },
    ],
  ];
  it.each(refusals)("%s", async (_name, refusal) => {
    await refused(circuit, refusal);
  });
});
