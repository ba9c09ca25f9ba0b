import { expect, it } from "vitest";
import type { PaymentOffer } from "@/lib/proofs/deployment";
import { decodeHeader, paymentPayloadSchema } from "@/lib/proofs/wire";
import { gatewayOffer } from "@/scripts/stack/contracts";
import { createPayer } from "../testing/payer";
import { checkTime } from "./checks";
import { matchOffer, paymentId, readNetwork, requirements } from "./payment";

const payTo = "0x00000000000000000000000000000000000000AA";
const batched = gatewayOffer(payTo);
const direct: PaymentOffer = {
  ...batched,
  settlement: "payee",
  eip712: { name: "USD Coin", version: "2" },
  verifyingContract: undefined,
};

it("payments F16: is not valid before the second after validAfter, as in the token", async () => {
  const { header } = await createPayer().sign(requirements(direct), { validAfter: 1000, validBefore: 2000 });
  const payload = decodeHeader(paymentPayloadSchema, header) ?? expect.fail("not a payment");
  const match = matchOffer({ kind: "authorization", payload }, [direct]);
  if (!("payment" in match) || match.payment.kind !== "authorization") expect.fail("no match");
  const { payment } = match;
  const at = (now: bigint) => checkTime(payment, 10n, now);
  expect([at(999n), at(1000n), at(1001n)]).toEqual(["not_yet_valid", "not_yet_valid", undefined]);
  expect([at(1989n), at(1990n)]).toEqual([undefined, "expired"]);
});

it("tells two offers in one token apart by what is signed for", async () => {
  for (const offer of [batched, direct]) {
    const { header } = await createPayer().sign(requirements(offer));
    const payload = decodeHeader(paymentPayloadSchema, header) ?? expect.fail("not a payment");
    const match = matchOffer({ kind: "authorization", payload }, [direct, batched]);
    expect(match).toMatchObject({ payment: { offer } });
  }
});

it("knows a transaction by network and hash, whatever nonce comes with it", () => {
  const request = { kind: "transaction", network: "eip155:1", hash: `0x${"ab".repeat(32)}` } as const;
  const [one, two] = ["01", "02"].map((byte) => paymentId({ ...request, nonce: `0x${byte.repeat(32)}` }));
  expect(one).toBe(two);
  expect(paymentId({ ...request, network: "eip155:2", nonce: request.hash })).not.toBe(one);
});

it.each([
  ["eip155:8453", "eip155:8453"],
  ["arc-testnet-nano", "eip155:5042002"],
  ["base", undefined],
  ["toString", undefined],
  ["eip155:x", undefined],
  ["solana:mainnet", undefined],
])("reads the network %s as %s", (text, network) => {
  expect(readNetwork(text)).toBe(network);
});
