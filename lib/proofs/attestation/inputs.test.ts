import fc from "fast-check";
import { type Hex, zeroHash } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { describe, expect, it } from "vitest";
import { decodeCountryPublicInputs } from "../layouts/country";
import { decodeEligibilityPublicInputs } from "../layouts/eligibility";
import { circuits } from "../registry";
import {
  attestationWithLeadingZero,
  attesterWith,
  developmentSigners,
  person,
  signedAttestation,
} from "../testing/attestations";
import { brokenCountryRule, brokenEligibilityRule, publicWords } from "../testing/wallet-circuit";
import { countryWire, eligibilityWire, personalSign, signalWithLeadingZero } from "../testing/wallet-wires";
import { attestersOf } from "../trust/attesters";
import { hashesOf, readAction } from "./action";
import { buildCountryInputs } from "./country";
import { buildEligibilityInputs, type EligibilityCircuit } from "./eligibility";
import type { CountryWireInputs, EligibilityWireInputs } from "./wire";

const development = attestersOf("development");
const attester = development.partner_country_attestation;
const scopes = ["other", "zk-community"];
const country = (wire: CountryWireInputs, by = attester) =>
  buildCountryInputs({ wire, attester: by, scopes });
const eligible = (circuit: EligibilityCircuit, wire: EligibilityWireInputs) =>
  buildEligibilityInputs({ wire, circuit, attester: development[circuit], scopes });
const eligibilityCircuits = ["network_eligibility", "regional_attestation"] as const;

const action = readAction({
  domain: {
    name: "Petition",
    version: "1",
    chainId: 5042002,
    verifyingContract: "0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC",
  },
  types: { Sign: [{ name: "petition", type: "uint256" }] },
  primaryType: "Sign",
  message: { petition: 7 },
});

describe("country inputs", () => {
  it("satisfy the circuit's rules and show what the circuit shows", async () => {
    const { inputs, publicInputs, facts } = await country(await countryWire());
    expect(brokenCountryRule(inputs, attester)).toBeNull();
    const { countries, signal_hash, merkle_root, is_included, scope, nullifier } = inputs;
    expect(publicInputs).toEqual(
      publicWords(
        signal_hash,
        merkle_root,
        countries.storage.flat(),
        countries.len,
        is_included,
        scope,
        nullifier,
      ),
    );
    expect(decodeCountryPublicInputs(publicInputs)).toEqual(facts);
    expect(facts).toMatchObject({ countries: ["DE", "FR"], isIncluded: true, merkleRoot: attester.root });
  });

  it("have the parameters of the circuit and no others", async () => {
    const { inputs } = await country(await countryWire());
    expect(Object.keys(inputs).sort()).toEqual(
      [
        ...["signal_hash", "merkle_root", "countries", "is_included", "scope", "nullifier", "scope_string"],
        ...["user_pubkey_x", "user_pubkey_y", "user_signature_r", "user_signature_s", "unsigned_transaction"],
        ...["attester_pubkey_x", "attester_pubkey_y", "attester_signature_r", "attester_signature_s"],
        ...["signed_digest", "merkle_path", "leaf_index", "depth"],
      ].sort(),
    );
  });

  it("of any wallet, scope, list, signer and legal transaction satisfy the circuit and decode to the claim", async () => {
    const letters = fc.integer({ min: 65, max: 90 }).map((code) => String.fromCharCode(code));
    const codes = fc.tuple(letters, letters).map((pair) => pair.join(""));
    const scopeStrings = fc
      .string({ unit: "grapheme", minLength: 1, maxLength: 40 })
      .filter((text) => new TextEncoder().encode(text).length <= 88);
    await fc.assert(
      fc.asyncProperty(
        fc
          .uint8Array({ minLength: 32, maxLength: 32 })
          .filter((key) => key.some((b) => b > 0) && (key[0] ?? 0) < 255),
        scopeStrings,
        fc.uniqueArray(codes, { minLength: 1, maxLength: 10 }),
        codes,
        fc.record({
          nonce: fc.nat(),
          maxPriorityFeePerGas: fc.bigInt(0n, 1n << 40n),
          gas: fc.bigInt(0n, 1n << 40n),
        }),
        fc.nat(3),
        async (key, scope, list, from, fees, leaf) => {
          const user = privateKeyToAccount(`0x${Buffer.from(key).toString("hex")}`);
          const signer = developmentSigners("partner_country_attestation")[leaf] ?? expect.fail("no signer");
          const over = { ...fees, maxFeePerGas: fees.maxPriorityFeePerGas + 5n };
          const raw = await signedAttestation({
            attester,
            signer,
            recipient: user.address,
            country: from,
            over,
          });
          const isIncluded = list.includes(from);
          const wire = await countryWire({ user, scope, list, leaf, raw, isIncluded });
          const { inputs, publicInputs, facts } = await country(wire);
          expect(brokenCountryRule(inputs, attester)).toBeNull();
          expect(decodeCountryPublicInputs(publicInputs)).toEqual(facts);
          expect(facts).toMatchObject({ countries: list, isIncluded, nullifier: wire.nullifier });
        },
      ),
      { numRuns: 60 },
    );
  }, 60_000);

  it("find the scope string by its word, or take the one that comes along", async () => {
    const { scope: _, ...bare } = await countryWire();
    expect((await country(bare)).inputs.scope_string.len).toBe("zk-community".length);
    const elsewhere = await countryWire({ scope: "x".repeat(88) });
    expect(brokenCountryRule((await country(elsewhere)).inputs, attester)).toBeNull();
  });

  it("keep the leading zeros that RLP leaves out", async () => {
    const [signer] = developmentSigners("partner_country_attestation");
    if (!signer) expect.fail("no signer");
    for (const part of ["r", "s"] as const) {
      const plan = { attester, signer, recipient: person.address, country: "FR" };
      const raw = await attestationWithLeadingZero(plan, part);
      const { inputs } = await country(await countryWire({ raw }));
      expect(inputs[`attester_signature_${part}`][0]).toBe(0);
      expect(brokenCountryRule(inputs, attester)).toBeNull();
    }
  });

  it("have an empty path for a single signer, and one of two levels for three", async () => {
    const [signer, ...others] = [...Array(3).keys()].map((i) =>
      privateKeyToAccount(`0x${`0${i + 1}`.repeat(32)}`),
    );
    if (!signer) expect.fail("no signer");
    const alone = attesterWith(attester, [signer.address]);
    const { inputs } = await country(await countryWire({ attester: alone, signers: [signer] }), alone);
    expect(inputs).toMatchObject({ depth: 0, leaf_index: 0, merkle_path: Array(2).fill(Array(32).fill(0)) });
    expect(brokenCountryRule(inputs, alone)).toBeNull();
    const signers = [signer, ...others];
    const three = attesterWith(attester, [signer.address, ...others.map(({ address }) => address)]);
    for (const leaf of [0, 1, 2]) {
      const built = await country(await countryWire({ attester: three, signers, leaf }), three);
      expect(built.inputs).toMatchObject({ depth: 2, leaf_index: leaf });
      expect(brokenCountryRule(built.inputs, three)).toBeNull();
    }
  });
});

describe.each(eligibilityCircuits)("inputs of %s", (circuit) => {
  const rules = (inputs: Parameters<typeof brokenEligibilityRule>[0]) =>
    brokenEligibilityRule(inputs, development[circuit], circuit);

  it("of an identity proof satisfy the circuit's rules and show what the circuit shows", async () => {
    const wire = await eligibilityWire({ circuit });
    const { inputs, publicInputs, facts } = await eligible(circuit, wire);
    expect(rules(inputs)).toBeNull();
    expect(Object.keys(inputs)).toHaveLength(19);
    const { signal_hash, domain_separator, action_hash, signer_list_merkle_root, scope, nullifier } = inputs;
    expect(publicInputs).toEqual(
      publicWords(signal_hash, domain_separator, action_hash, signer_list_merkle_root, scope, nullifier),
    );
    expect(publicInputs).toHaveLength(circuits[circuit].publicWords);
    expect(decodeEligibilityPublicInputs(publicInputs)).toEqual(facts);
    expect(facts).toMatchObject({ action: null, signalHash: wire.signal_hash });
    const zeros = { ...wire, domain_separator: zeroHash, action_hash: zeroHash };
    expect((await eligible(circuit, zeros)).facts).toEqual(facts);
  });

  it("of an action need its signature, hide the signal hash and keep the nullifier", async () => {
    const identity = await eligibilityWire({ circuit });
    const { domainSeparator, actionHash } = hashesOf(action);
    const signed = { ...identity, signal_hash: zeroHash, signature: await person.signTypedData(action) };
    const hashes = { domain_separator: domainSeparator, action_hash: actionHash };
    const { signal_hash: _, ...withoutSignal } = signed;
    const variants: EligibilityWireInputs[] = [
      { ...signed, ...hashes },
      { ...signed, action },
      { ...withoutSignal, ...hashes, action },
    ];
    for (const wire of variants) {
      const { inputs, facts, publicInputs } = await eligible(circuit, wire);
      expect(rules(inputs)).toBeNull();
      expect(inputs.signal_hash).toEqual(Array(32).fill(0));
      expect(facts).toMatchObject({ signalHash: zeroHash, action: { domainSeparator, actionHash } });
      expect(facts.nullifier).toBe((await eligible(circuit, identity)).facts.nullifier);
      expect(decodeEligibilityPublicInputs(publicInputs)).toEqual(facts);
    }
  });

  it("keep the leading zeros of the wallet's signature, and take v in all four forms", async () => {
    const wire = await eligibilityWire({ circuit });
    for (const part of ["r", "s"] as const) {
      const signal_hash = await signalWithLeadingZero(person, part);
      const signature = await personalSign(person, signal_hash);
      const { inputs } = await eligible(circuit, { ...wire, signal_hash, signature });
      expect(inputs[`user_signature_${part}`][0]).toBe(0);
      expect(rules(inputs)).toBeNull();
    }
    const v = Number.parseInt(wire.signature.slice(-2), 16);
    const other: Hex = `0x${wire.signature.slice(2, -2)}${(v - 27).toString(16).padStart(2, "0")}`;
    expect((await eligible(circuit, { ...wire, signature: other })).inputs).toEqual(
      (await eligible(circuit, wire)).inputs,
    );
  });
});
