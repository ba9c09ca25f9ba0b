import { type Hex, hashMessage, recoverAddress, zeroHash } from "viem";
import { beforeEach, describe, expect, it } from "vitest";
import { buildCountryInputs } from "../attestation/country";
import { buildEligibilityInputs } from "../attestation/eligibility";
import { countryWireInputsSchema, eligibilityWireInputsSchema } from "../attestation/wire";
import { countrySignalHash, eligibilitySignalHash, merkleRoot, scopeWord } from "../derivations";
import { decodeCountryPublicInputs } from "../layouts/country";
import { decodeEligibilityPublicInputs } from "../layouts/eligibility";
import { person, stranger } from "../testing/attestations";
import { action, attestedPurchase, proverFor, scope, statements } from "../testing/attested-purchase";
import { account } from "../testing/purchase";
import { proveRequestSchema } from "../wire";
import {
  type AttestedStatement,
  attestedWireInputs,
  expectedPublicInputs,
  proveAttested,
  signingRequest,
} from "./attested";
import { memoryStore } from "./stores";

const user = person.address;
let setting: Awaited<ReturnType<typeof attestedPurchase>>;

describe.each(Object.entries<AttestedStatement>(statements))("a proof of %s", (_, statement) => {
  beforeEach(async () => {
    setting = await attestedPurchase(statement);
  });

  it("is found, signed once by the attested wallet, paid once by the other, and checked", async () => {
    const result = await proveAttested(setting.request());
    expect(result.proof).toBe("0x1234");
    expect(setting.stages.slice(0, 5)).toEqual(["finding", "found", "signing", "price", "payment"]);
    expect(setting.stages.at(-1)).toBe("done");
    expect(setting.wallet.asked).toHaveLength(1);
    expect(setting.payer.signed.map(({ message }) => message.from)).toEqual([account.address]);
    expect(setting.prover.charged).toBe(1);
  });

  it("sends inputs the prover's builders take, and nothing of an action but its hashes", async () => {
    await proveAttested(setting.request());
    const { circuit, inputs } = proveRequestSchema.parse(setting.prover.paid[0]?.body);
    const { attester } = setting.world;
    const { publicInputs } =
      circuit === "partner_country_attestation"
        ? await buildCountryInputs({ wire: countryWireInputsSchema.parse(inputs), attester, scopes: [] })
        : circuit === "oidc_domain_attestation"
          ? expect.fail("another circuit")
          : await buildEligibilityInputs({
              wire: eligibilityWireInputsSchema.parse(inputs),
              circuit,
              attester,
              scopes: [],
            });
    expect(publicInputs).toEqual(setting.prover.result.publicInputs);
    expect(inputs).not.toHaveProperty("action");
  });

  it("about anything else is not accepted", async () => {
    const { publicInputs } = setting.prover.result;
    // A word of every field: root, scope, nullifier, list or action, signal hash.
    const words = statement.list ? [0, 32, 65, 84, 85, 86, 118] : [0, 32, 64, 96, 128, 160];
    for (const word of words) {
      const changed = publicInputs.map(
        (value, i): Hex => (i === word ? `0x${(BigInt(value) ^ 1n).toString(16).padStart(64, "0")}` : value),
      );
      setting.prover = proverFor(statement.circuit, changed);
      await expect(
        proveAttested(setting.request({ store: memoryStore() })),
        `word ${word}`,
      ).rejects.toMatchObject({
        code: "RESULT_MISMATCH",
      });
    }
  });

  it("is continued after a reload without asking any wallet again", async () => {
    const page = new AbortController();
    const { fetch: whole = fetch } = setting.request();
    const dying: typeof fetch = (input, init) => {
      if (String(input).includes("/jobs/")) page.abort(new Error("page closed"));
      return whole(input, init);
    };
    const broken = proveAttested(setting.request({ fetch: dying, signal: page.signal }));
    await expect(broken).rejects.toThrow("page closed");
    setting.stages.length = 0;
    expect((await proveAttested(setting.request())).proof).toBe("0x1234");
    expect(setting.wallet.asked).toHaveLength(1);
    expect(setting.payer.signed).toHaveLength(1);
    expect(setting.stages).not.toContain("finding");
  });

  it("is asked for again with the same payment when the prover forgot it", async () => {
    await proveAttested(setting.request());
    setting.prover.faults = ["restart"];
    expect((await proveAttested(setting.request())).proof).toBe("0x1234");
    expect(setting.payer.signed).toHaveLength(1);
    expect(setting.prover.charged).toBe(1);
  });
});

describe("what is signed", () => {
  it("binds the wallet, the scope and the circuit; for an identity the challenge", () => {
    const country = statements["a country"];
    const signalHash = countrySignalHash(user, scope, "partner_country_attestation");
    expect(signingRequest({ ...country, user })).toEqual({ kind: "message", signalHash, raw: signalHash });
    for (const circuit of ["network_eligibility", "regional_attestation"] as const) {
      const raw = eligibilitySignalHash(circuit, scope, "n");
      expect(signingRequest({ circuit, scope, nonce: "n", user })).toEqual({
        kind: "message",
        signalHash: raw,
        raw,
      });
    }
  });

  it("is the whole action, with its lines", () => {
    const wanted = signingRequest({ circuit: "network_eligibility", scope, action, user });
    expect(wanted).toMatchObject({ kind: "action", action });
    expect(wanted.kind === "action" && wanted.lines.map(({ path }) => path)).toContain("message.petition");
  });

  it("makes a wire whose every word is known before", async () => {
    const statement = statements["a country"];
    setting = await attestedPurchase(statement);
    const { raw } = await setting.world.attest();
    const signal = countrySignalHash(user, scope, "partner_country_attestation");
    const signature = await person.signMessage({ message: { raw: signal } });
    expect(await recoverAddress({ hash: hashMessage({ raw: signal }), signature })).toBe(user);
    const parts = {
      ...statement,
      deployment: setting.world.deployment,
      user,
      signature,
      attestation: { rawTransaction: raw },
    };
    const { wire, expectedPublicInputs: words } = await attestedWireInputs(parts);
    expect(words).toEqual(expectedPublicInputs(parts));
    expect(decodeCountryPublicInputs(words)).toMatchObject({
      countries: ["DE", "FR"],
      isIncluded: true,
      scope: scopeWord(scope),
      merkleRoot: merkleRoot(setting.world.attester.signers),
      nullifier: wire.nullifier,
    });
    const acting = expectedPublicInputs({
      ...parts,
      circuit: "network_eligibility",
      list: undefined,
      action,
    });
    expect(decodeEligibilityPublicInputs(acting)).toMatchObject({ signalHash: zeroHash });
    const compact: Hex = `0x${signature.slice(2, 130)}`;
    for (const bad of [compact, "0x"] as const) {
      await expect(attestedWireInputs({ ...parts, signature: bad })).rejects.toMatchObject({
        code: "SIGNATURE_INVALID",
      });
    }
    const foreign = await stranger.signMessage({ message: { raw: signal } });
    await expect(attestedWireInputs({ ...parts, signature: foreign })).rejects.toMatchObject({
      code: "WRONG_SIGNER",
    });
  });
});
