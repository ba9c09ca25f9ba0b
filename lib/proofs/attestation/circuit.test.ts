import { readFileSync } from "node:fs";
import path from "node:path";
import { type CompiledCircuit, Noir } from "@noir-lang/noir_js";
import fc from "fast-check";
import { type LocalAccount, privateKeyToAccount } from "viem/accounts";
import { describe, expect, it } from "vitest";
import {
  attestationWithLeadingZero,
  developmentSigners,
  person,
  signedAttestation,
} from "../testing/attestations";
import { action } from "../testing/attested-purchase";
import { countryWire, eligibilityWire, personalSign, signalWithLeadingZero } from "../testing/wallet-wires";
import { type AttestedCircuit, attestersOf } from "../trust/attesters";
import { buildCountryInputs } from "./country";
import { buildEligibilityInputs } from "./eligibility";

/** The compiled circuits are the judges: what the builders give must be solvable, and public as promised. */

const development = attestersOf("development");
const artifactOf = (circuit: AttestedCircuit) =>
  path.join(import.meta.dirname, `../../../circuits/artifacts/${circuit}.development.json`);
function load(circuit: AttestedCircuit): Noir {
  const compiled: CompiledCircuit = JSON.parse(readFileSync(artifactOf(circuit), "utf8"));
  return new Noir(compiled);
}
const keys = fc
  .bigInt(1n, 1n << 255n)
  .map((key) => privateKeyToAccount(`0x${key.toString(16).padStart(64, "0")}`));
const fees = fc.record({
  nonce: fc.oneof(fc.constant(0), fc.nat()),
  maxPriorityFeePerGas: fc.bigInt(0n, 1n << 40n),
  gas: fc.bigInt(0n, 1n << 40n),
});
/** A legal transaction of any length. */
const transaction = (
  circuit: AttestedCircuit,
  user: LocalAccount,
  leaf: number,
  over: { nonce: number; maxPriorityFeePerGas: bigint; gas: bigint },
  country?: string,
) => {
  const signer = developmentSigners(circuit)[leaf] ?? expect.fail("no signer");
  return signedAttestation({
    ...{ attester: development[circuit], signer, recipient: user.address, country },
    over: { ...over, maxFeePerGas: over.maxPriorityFeePerGas + 1n },
  });
};

const country = "partner_country_attestation";
describe("partner_country_attestation takes what the builder gives", () => {
  const build = (wire: Awaited<ReturnType<typeof countryWire>>) =>
    buildCountryInputs({ wire, attester: development[country], scopes: [] });

  it("for any wallet, signer, transaction, scope and list", async () => {
    const circuit = load(country);
    const letter = fc.integer({ min: 65, max: 90 }).map((code) => String.fromCharCode(code));
    const codes = fc.tuple(letter, letter).map((pair) => pair.join(""));
    const lists = fc.uniqueArray(codes, { minLength: 1, maxLength: 10 });
    const scopes = fc.constantFrom("z", "zk-community", "é".repeat(44), "x".repeat(87));
    await fc.assert(
      fc.asyncProperty(
        keys,
        fc.nat(3),
        fees,
        scopes,
        lists,
        codes,
        async (user, leaf, over, scope, list, from) => {
          const raw = await transaction(country, user, leaf, over, from);
          const wire = await countryWire({ user, scope, leaf, raw, list, isIncluded: list.includes(from) });
          await circuit.execute((await build(wire)).inputs);
        },
      ),
      { numRuns: 6 },
    );
  }, 120_000);

  it("with leading zeros in the attester's r and s", async () => {
    const circuit = load(country);
    const [signer = expect.fail("no signer")] = developmentSigners(country);
    for (const part of ["r", "s"] as const) {
      const plan = { attester: development[country], signer, recipient: person.address, country: "FR" };
      const raw = await attestationWithLeadingZero(plan, part);
      await circuit.execute((await build(await countryWire({ raw }))).inputs);
    }
  }, 60_000);
});

describe.each(["network_eligibility", "regional_attestation"] as const)(
  "%s takes what the builder gives",
  (id) => {
    const attester = development[id];
    const build = (wire: Awaited<ReturnType<typeof eligibilityWire>>) =>
      buildEligibilityInputs({ wire, circuit: id, attester, scopes: [] });

    it("for any wallet, signer, transaction and scope, in both modes", async () => {
      const circuit = load(id);
      await fc.assert(
        fc.asyncProperty(
          keys,
          fc.nat(attester.signers.length - 1),
          fees,
          fc.boolean(),
          async (user, leaf, over, acts) => {
            const raw = await transaction(id, user, leaf, over);
            const { signal_hash: _, ...wire } = await eligibilityWire({ circuit: id, user, leaf, raw });
            const signature = acts ? await user.signTypedData(action) : wire.signature;
            const mode = acts ? { action, signature } : { signal_hash: _ };
            await circuit.execute((await build({ ...wire, ...mode })).inputs);
          },
        ),
        { numRuns: 5 },
      );
    }, 120_000);

    it("with leading zeros in the wallet's r and s", async () => {
      const circuit = load(id);
      const wire = await eligibilityWire({ circuit: id });
      for (const part of ["r", "s"] as const) {
        const signal_hash = await signalWithLeadingZero(person, part);
        const signature = await personalSign(person, signal_hash);
        const { inputs } = await build({ ...wire, signal_hash, signature });
        await circuit.execute(inputs);
      }
    }, 60_000);
  },
);
