import { beforeAll, describe, expect, it } from "vitest";
import { seal } from "@/lib/proofs/sealing";
import { newEncryptionKey } from "../testing/encryption-key";
import { circuit } from "../testing/prover-client";
import { price, type RunningProver, type Stack } from "../testing/stack";

/** Inputs that are encrypted on their way, and what is told to a client that has it wrong. */
export function encryption(stack: () => Stack): void {
  describe("encrypted inputs", () => {
    let key: Awaited<ReturnType<typeof newEncryptionKey>>;
    let sealed: RunningProver;
    beforeAll(async () => {
      key = await newEncryptionKey();
      sealed = await stack().start({ encryptionKey: key.text }, stack().replaying());
    });

    /** Buys, and says what came of it and what is left of the money. */
    async function buy({ client }: RunningProver, inputs: unknown) {
      const wallet = await stack().payer(price);
      const { header } = await wallet.sign(await client.offer("eip155:8453"));
      const send = () => client.buy(inputs, header);
      const { status, error, result } = await send();
      const left = await stack().main.balance(wallet.account.address);
      return { told: [status, error?.error, error?.field, error?.reason], left, result, send };
    }

    it("buy a proof, and the same payment with the same inputs sealed anew is the same request", async () => {
      const { inputs } = stack();
      expect((await sealed.client.challenge()).teePublicKey).toBe(key.publicKey);
      const bought = await buy(sealed, { encrypted: await seal(key.publicKey, circuit, inputs) });
      expect([...bought.told, bought.left]).toEqual([200, undefined, undefined, undefined, 0n]);
      expect((await bought.send()).result).toEqual(bought.result);
    });

    it("are all that a prover with a key takes; whatever else is refused costs nothing", async () => {
      const { inputs } = stack();
      const other = await newEncryptionKey();
      const good = await seal(key.publicKey, circuit, inputs);
      const cases = [
        [inputs, "encryption_required"],
        [{ ...inputs, encrypted: good }, "encryption_required"],
        [{ encrypted: 7 }, "encryption_required"],
        [{ encrypted: "nonsense" }, "decryption_failed"],
        [{ encrypted: await seal(other.publicKey, circuit, inputs) }, "decryption_failed"],
        // Taken from a request for another circuit.
        [{ encrypted: await seal(key.publicKey, "network_eligibility", inputs) }, "decryption_failed"],
        [{ encrypted: `${good.slice(0, -2)}AA` }, "decryption_failed"],
        [{ encrypted: await seal(key.publicKey, circuit, [inputs]) }, "decryption_failed"],
      ] as const;
      for (const [sent, reason] of cases) {
        const { told, left } = await buy(sealed, sent);
        expect([...told, left]).toEqual([400, "INVALID_INPUTS", "inputs", reason, price]);
      }
    });

    it("are checked as inputs in clear are, and may not be deeper", async () => {
      const seals = async (value: unknown) => ({ encrypted: await seal(key.publicKey, circuit, value) });
      expect((await buy(sealed, await seals({ ...stack().inputs, scope: 1 }))).told).toEqual([
        400,
        "INVALID_INPUTS",
        "scope",
        "schema",
      ]);
      const deep: unknown = JSON.parse(`{"jwt":${"[".repeat(4_000)}${"]".repeat(4_000)}}`);
      expect((await buy(sealed, await seals(deep))).told).toEqual([
        400,
        "INVALID_REQUEST",
        undefined,
        undefined,
      ]);
    });

    it("are described in the guide, and refused where there is no key", async () => {
      const guide: unknown = await (await fetch(`${sealed.client.url}/api/v1/guide/${circuit}`)).json();
      expect(guide).toMatchObject({
        encryption: {
          teePublicKey: key.publicKey,
          required: true,
          protected_header: { alg: "ECDH-ES", enc: "A256GCM", purpose: circuit },
        },
      });
      const { client } = stack().prover;
      expect((await client.challenge()).teePublicKey).toBeNull();
      const sent = { encrypted: await seal(key.publicKey, circuit, stack().inputs) };
      expect((await buy(stack().prover, sent)).told).toEqual([
        400,
        "INVALID_INPUTS",
        "inputs",
        "encryption_unavailable",
      ]);
    });
  });
}
