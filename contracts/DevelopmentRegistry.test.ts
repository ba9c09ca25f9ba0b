import { type Address, encodeFunctionData, type Hex, toHex, zeroHash } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DevelopmentRegistry } from "./index";
import { account } from "./local-chain";
import { attestedChain } from "./test/attested-chain";

/** Anybody may attest in his own name in the registry: what a reader must tell apart by the attester. */
const ATTESTER = 2;
const schema = toHex(7, { size: 32 });
const recipient = account(7).address;

let chain: Awaited<ReturnType<typeof attestedChain>>;
beforeAll(async () => {
  chain = await attestedChain(8453);
}, 60_000);
afterAll(() => chain?.stop());

interface Request {
  recipient: Address;
  expirationTime: bigint;
  revocable: boolean;
  refUID: Hex;
  data: Hex;
  value: bigint;
}
const honest: Request = {
  ...{ recipient, expirationTime: 0n, revocable: true, refUID: zeroHash, data: "0x1234", value: 0n },
};

async function attest(changes: Partial<Request> = {}, value = 0n, of: Hex = schema) {
  const data = encodeFunctionData({
    abi: DevelopmentRegistry.abi,
    functionName: "attest",
    args: [{ schema: of, data: { ...honest, ...changes } }],
  });
  await chain.send(ATTESTER, data, { to: chain.site.registry, value });
  const event = (await chain.events()).at(-1);
  return event?.args.uid ?? "0x";
}

test("keeps what it was given, in the caller's name", async () => {
  const { timestamp } = await chain.client.getBlock();
  const first = await attest();
  const uid = await attest({ expirationTime: timestamp + 1_000n, revocable: false, refUID: first });
  expect(await chain.read(uid)).toMatchObject({
    ...{ uid, schema, recipient, attester: account(ATTESTER).address, data: "0x1234" },
    ...{ expirationTime: timestamp + 1_000n, revocable: false, refUID: first, revocationTime: 0n },
  });
});

test("refuses what the real service refuses", async () => {
  const { timestamp } = await chain.client.getBlock();
  await expect(attest({ expirationTime: timestamp - 1n })).rejects.toThrow("InvalidExpirationTime");
  await expect(attest({ refUID: toHex(9, { size: 32 }) })).rejects.toThrow("NotFound");
  await expect(attest({ value: 1n })).rejects.toThrow("NotPayable");
  await expect(attest({}, 1n)).rejects.toThrow("NotPayable");
  await expect(attest({}, 0n, zeroHash)).rejects.toThrow("InvalidSchema");

  const irrevocable = await attest({ revocable: false });
  const revoke = (uid: Hex, value = 0n) =>
    encodeFunctionData({
      abi: DevelopmentRegistry.abi,
      functionName: "revoke",
      args: [{ schema, data: { uid, value } }],
    });
  const to = chain.site.registry;
  await expect(chain.send(ATTESTER, revoke(irrevocable), { to })).rejects.toThrow("Irrevocable");
  const uid = await attest();
  await expect(chain.send(ATTESTER, revoke(uid, 1n), { to })).rejects.toThrow("NotPayable");
  await expect(chain.send(ATTESTER, revoke(uid), { to, value: 1n })).rejects.toThrow("NotPayable");
  await chain.send(ATTESTER, revoke(uid), { to });
});
