import { keccak256, numberToHex } from "viem";
import { sign } from "viem/accounts";
import { describe, expect, it } from "vitest";
import { encodeCountryPublicInputs } from "@/lib/proofs/layouts/country";
import { encodeEligibilityPublicInputs } from "@/lib/proofs/layouts/eligibility";
import {
  ACTION,
  type AttestedCircuit,
  build,
  type CommonInputs,
  type Overrides,
  payloadOf,
  SIGNER_KEYS,
  testKey,
  USER_KEY,
  userDigest,
} from "../soundness";
import { run } from "./attestation-run";

const circuits = ["partner_country_attestation", "network_eligibility", "regional_attestation"] as const;
const [SIGNER_KEY = USER_KEY] = SIGNER_KEYS;
const hex = (bytes: number[]) => `0x${Buffer.from(bytes).toString("hex")}` as const;
const max = (bytes: number) => (1n << BigInt(8 * bytes)) - 1n;

async function accepted(circuit: AttestedCircuit, overrides: Overrides = {}): Promise<CommonInputs> {
  const { inputs } = await build(circuit, "production", overrides);
  expect(await run(circuit, inputs)).toBe("accepted");
  return inputs;
}

/** The first of the choices with which that number of that signature begins with a zero byte. */
async function leadingZero(
  whose: "user" | "attester",
  number: "r" | "s",
  circuit: AttestedCircuit,
  choices: (attempt: number) => Overrides,
): Promise<Overrides> {
  for (let attempt = 0; attempt < 5_000; attempt++) {
    const overrides = choices(attempt);
    const hash =
      whose === "user"
        ? userDigest(circuit, overrides)
        : keccak256(payloadOf(circuit, "production", overrides));
    const signature = await sign({ hash, privateKey: whose === "user" ? USER_KEY : SIGNER_KEY });
    if (signature[number].startsWith("0x00")) return overrides;
  }
  throw new Error("no leading zero found");
}

describe.each(circuits)("%s accepts", (circuit) => {
  it.each(["production", "development"] as const)("an honest witness of the %s build", async (mode) => {
    const { inputs } = await build(circuit, mode);
    expect(await run(circuit, inputs, mode)).toBe("accepted");
  });

  it("a single signer, who is the root", async () => {
    const inputs = await accepted(circuit, { signerKeys: [testKey(2, 9)] });
    expect(inputs.depth).toBe(0);
  });

  it.each([0, 1, 2, 3])("signer %i of four", async (signerIndex) => {
    expect((await accepted(circuit, { signerIndex })).depth).toBe(2);
  });

  it.each([
    ["a nonce of 0", { nonce: 0 }],
    ["a nonce of 127", { nonce: 127 }],
    ["a nonce of 128", { nonce: 128 }],
    ["fees of 0", { maxPriorityFeePerGas: 0n, maxFeePerGas: 0n }],
    ["fees of 12 bytes", { maxPriorityFeePerGas: max(12), maxFeePerGas: max(12) }],
    ["a gas limit of 8 bytes", { gas: max(8) }],
  ])("%s", async (_name, transaction) => {
    await accepted(circuit, { transaction });
  });

  it("the smallest payload", async () => {
    const transaction = { nonce: 0, maxPriorityFeePerGas: 0n, maxFeePerGas: 0n, gas: 0n };
    const inputs = await accepted(circuit, { transaction });
    expect(inputs.unsigned_transaction.len).toBe(circuit === "regional_attestation" ? 71 : 70);
  });

  it("a payload of exactly 135 bytes", async () => {
    const rest = circuit === "regional_attestation" ? 20 : 21;
    const transaction = {
      nonce: 2 ** 48,
      maxPriorityFeePerGas: max(rest),
      maxFeePerGas: max(29),
      gas: max(8),
    };
    const inputs = await accepted(circuit, { transaction });
    expect(inputs.unsigned_transaction.len).toBe(135);
  });

  it.each(["r", "s"] as const)("a leading zero in the user's %s", async (number) => {
    const overrides = await leadingZero("user", number, circuit, (attempt) => ({
      scope: `scope:${attempt}`,
      signalHash: keccak256(numberToHex(attempt)),
    }));
    expect((await accepted(circuit, overrides))[`user_signature_${number}`][0]).toBe(0);
  });

  it.each(["r", "s"] as const)("a leading zero in the attester's %s", async (number) => {
    const overrides = await leadingZero("attester", number, circuit, (nonce) => ({ transaction: { nonce } }));
    expect((await accepted(circuit, overrides))[`attester_signature_${number}`][0]).toBe(0);
  });
});

describe("lists of other sizes", () => {
  it.each([2, 3])("each of %i signers", async (size) => {
    const signerKeys = SIGNER_KEYS.slice(0, size);
    for (const signerIndex of signerKeys.keys()) {
      await accepted("network_eligibility", { signerKeys, signerIndex });
    }
  });
});

describe("partner_country_attestation accepts", () => {
  const circuit = "partner_country_attestation";
  const ten = ["AT", "BE", "CH", "CZ", "DE", "FR", "LI", "LU", "NL", "ZZ"];

  it.each([
    ["the only country", { countries: ["DE"] }, true],
    ["the last of ten", { countries: [...ten].sort(), country: "ZZ" }, true],
    ["the first of ten", { countries: ten, country: "AT" }, true],
    ["a country not in a list of one", { countries: ["FR"] }, false],
    ["a country not in a list of ten", { countries: ten, country: "AA" }, false],
  ])("%s", async (_name, overrides, isIncluded) => {
    const { inputs } = await build(circuit, "production", overrides);
    expect(inputs.is_included).toBe(isIncluded);
    expect(await run(circuit, inputs)).toBe("accepted");
  });

  it.each([
    ["of one byte", "x"],
    ["of 7 bytes", "1234567"],
    ["of 88 bytes", "s".repeat(88)],
    ["in another script", "parley:комната:部屋"],
  ])("a scope %s", async (_name, scope) => {
    await accepted(circuit, { scope });
  });

  it("and its public inputs are those of the layout", async () => {
    const countries = ["DE", "FR", "ZZ"];
    const { inputs, publicInputs } = await build(circuit, "production", { countries, country: "IT" });
    const facts = {
      signalHash: hex(inputs.signal_hash),
      merkleRoot: hex(inputs.merkle_root),
      countries,
      isIncluded: false,
      scope: hex(inputs.scope),
      nullifier: hex(inputs.nullifier),
    };
    expect(publicInputs).toEqual(encodeCountryPublicInputs(facts));
  });
});

describe.each(["network_eligibility", "regional_attestation"] as const)("%s accepts", (circuit) => {
  it("an action, with the nullifier of the identity", async () => {
    const identity = await accepted(circuit);
    const action = await accepted(circuit, { action: ACTION });
    expect(action.nullifier).toEqual(identity.nullifier);
    expect(action.user_signature_r).not.toEqual(identity.user_signature_r);
  });

  it("a signal hash of zero, as any other", async () => {
    await accepted(circuit, { signalHash: numberToHex(0, { size: 32 }) });
  });

  it.each([undefined, ACTION])("and its public inputs are those of the layout", async (action) => {
    const { inputs, publicInputs } = await build(circuit, "production", action ? { action } : {});
    const facts = {
      signalHash: hex(inputs.signal_hash),
      action: action ?? null,
      merkleRoot: hex(inputs.signer_list_merkle_root),
      scope: hex(inputs.scope),
      nullifier: hex(inputs.nullifier),
    };
    expect(publicInputs).toEqual(encodeEligibilityPublicInputs(facts));
  });
});
