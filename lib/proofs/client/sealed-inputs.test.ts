import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createSealingKey, type SealingKey } from "../sealing";
import { FakeProver } from "../testing/prover";
import { countingWallet, purchase, requestTo, resultFor } from "../testing/purchase";
import { type BuyProofRequest, buyProof } from "./buy";
import { memoryStore, type PaymentStore } from "./stores";

let setting: Awaited<ReturnType<typeof purchase>>;
let keys: SealingKey[];
let prover: FakeProver;
let wallet: ReturnType<typeof countingWallet>;
let store: PaymentStore;
beforeAll(async () => {
  setting = await purchase();
  keys = await Promise.all([createSealingKey(), createSealingKey()]);
});
beforeEach(() => {
  prover = new FakeProver(resultFor(setting.facts));
  prover.sealingKey = keys[0] ?? null;
  wallet = countingWallet();
  store = memoryStore();
});
const request = () => requestTo(prover, { inputs: setting.inputs, wallet, store });
const sent = () => JSON.stringify(prover.seen.map(({ body }) => body));

describe("a prover with an encryption key", () => {
  it("gets the inputs sealed for its key, and nothing of them in clear", async () => {
    expect((await buyProof(request())).proof).toBe("0x1234");
    expect(prover.read).toEqual([setting.inputs]);
    expect(sent()).not.toContain(setting.inputs.jwt);
    expect(sent()).not.toContain(setting.inputs.scope);
  });

  it("gets a resend it reads the same inputs from, under the same payment", async () => {
    prover.faults = ["ok", "drop-answer"];
    await buyProof(request());
    expect(prover.read).toEqual([setting.inputs, setting.inputs]);
    expect(prover.charged).toBe(1);
    expect(wallet.signed).toHaveLength(1);
  });

  it("gets them sealed for its new key after it changed", async () => {
    prover.faults = ["ok", "busy"];
    const running = buyProof({
      ...request(),
      onProgress: ({ stage }) => {
        if (stage === "retrying") prover.sealingKey = keys[1] ?? null;
      },
    });
    await running;
    expect(prover.read).toEqual([setting.inputs]);
    expect((await store.get("login-1"))?.encryptionKey).toBe(keys[1]?.publicKey);
    expect(wallet.signed).toHaveLength(1);
  });

  it("gets them sealed also where it had no key when it was paid", async () => {
    prover.sealingKey = null;
    const onProgress: BuyProofRequest["onProgress"] = ({ stage }) => {
      if (stage === "payment") prover.sealingKey = keys[0] ?? null;
    };
    await buyProof({ ...request(), onProgress });
    expect(prover.read).toEqual([setting.inputs]);
  });

  it("gets nothing in clear after it lost its key", async () => {
    const onProgress: BuyProofRequest["onProgress"] = ({ stage }) => {
      if (stage === "payment") prover.sealingKey = null;
    };
    await expect(buyProof({ ...request(), onProgress })).rejects.toMatchObject({ code: "ENCRYPTION_LOST" });
    expect(prover.read).toEqual([]);
    expect(sent()).not.toContain(setting.inputs.jwt);
  });

  it("is asked for its key once, and then its refusal is told", async () => {
    const refusal = { error: "INVALID_INPUTS", message: "no", field: "inputs", reason: "decryption_failed" };
    prover.paidErrors = [1, 2].map(() => ({ status: 400, body: refusal }));
    await expect(buyProof(request())).rejects.toMatchObject({ reason: "decryption_failed" });
    expect(prover.paid).toHaveLength(2);
  });
});
