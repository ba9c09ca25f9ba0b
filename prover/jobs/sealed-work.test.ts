import { toHex } from "viem";
import { expect, it } from "vitest";
import { createSealingKey } from "@/lib/proofs/sealing";
import type { Work } from "./run";
import { sealWork, unsealWork } from "./sealed-work";

const id = (n: number) => toHex(n, { size: 32 });
const inputs = { jwt: "a token that names somebody", scope: 1 };
const work: Work = {
  // Sealing reads no row.
  get row() {
    return expect.fail();
  },
  settle: () => expect.fail(),
  prepared: { inputs, witness: new Uint8Array([7]), publicInputs: [id(9)] },
  startedAt: 1_000,
  witnessMs: 5,
  paymentMs: 20,
};

it("is read by each process it was sealed for, and by no other", async () => {
  const keys = await Promise.all([1, 2, 3].map(() => createSealingKey()));
  const [first, second, third] = keys;
  if (!first || !second || !third) return expect.fail();
  const peers = [first, second].map(({ publicKey }, i) => ({ id: `${i}`, publicKey }));
  const sealed = await sealWork(peers, id(1), work);
  expect(sealed).not.toContain("names somebody");
  for (const { privateKey } of [first, second]) {
    expect(await unsealWork(privateKey, id(1), sealed)).toEqual({
      inputs,
      publicInputs: [id(9)],
      startedAt: 1_000,
      paymentMs: 20,
    });
  }
  await expect(unsealWork(third.privateKey, id(1), sealed)).rejects.toThrow();
});

it("is refused for another payment, and when a bit of it was changed", async () => {
  const { publicKey, privateKey } = await createSealingKey();
  const sealed = await sealWork([{ id: "me", publicKey }], id(1), work);
  await expect(unsealWork(privateKey, id(2), sealed)).rejects.toThrow("sealed for another payment");
  const { ciphertext, ...rest }: { ciphertext: string } = JSON.parse(sealed);
  const changed = `${ciphertext.startsWith("A") ? "B" : "A"}${ciphertext.slice(1)}`;
  await expect(
    unsealWork(privateKey, id(1), JSON.stringify({ ...rest, ciphertext: changed })),
  ).rejects.toThrow();
  for (const text of ["", "{}", "null"]) await expect(unsealWork(privateKey, id(1), text)).rejects.toThrow();
});
