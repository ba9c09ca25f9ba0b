import { once } from "node:events";
import { createServer } from "node:http";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { FakeProver, offer, ourOffer, payee } from "../testing/prover";
import { circuit, purchase, resultFor } from "../testing/purchase";
import { decodeHeader, paymentPayloadSchema, transferTypes } from "../wire";
import { buyProof } from "./buy";
import { type RemoteSignerOptions, remoteSigner } from "./remote-signer";
import { memoryStore } from "./stores";
import { payingWallet, type TransferTypedData } from "./wallets";

/** A signing service as wallet daemons are: one account, one bearer token. */
const account = privateKeyToAccount(generatePrivateKey());
const stranger = privateKeyToAccount(generatePrivateKey());
const token = "canary-token-of-the-service";
const call = z.object({
  id: z.number(),
  method: z.literal("eth_signTypedData_v4"),
  params: z.tuple([z.string(), z.string()]),
});
const numeral = z.union([z.string(), z.number()]).transform(BigInt);
const address = z.custom<`0x${string}`>((value) => typeof value === "string" && value.startsWith("0x"));
const typed = z.object({
  domain: z.object({
    name: z.string(),
    version: z.string(),
    chainId: z.coerce.number(),
    verifyingContract: address,
  }),
  primaryType: z.literal("TransferWithAuthorization"),
  message: z.object({
    from: address,
    to: address,
    value: numeral,
    validAfter: numeral,
    validBefore: numeral,
    nonce: address,
  }),
});

let seen: { authorization: string | undefined; body: string }[] = [];
let signer = account;
/** Status instead of an answer. */
let refusal: number | null = null;
const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  const body = Buffer.concat(chunks).toString();
  seen.push({ authorization: request.headers.authorization, body });
  response.setHeader("content-type", "application/json");
  if (refusal !== null || request.headers.authorization !== `Bearer ${token}`) {
    response.statusCode = refusal ?? 401;
    response.setHeader("location", "/elsewhere");
    return response.end(JSON.stringify({ error: "secret words of the service" }));
  }
  const { id, params } = call.parse(JSON.parse(body));
  const { domain, message, primaryType } = typed.parse(JSON.parse(params[1]));
  const signature = await signer.signTypedData({ domain, types: transferTypes, primaryType, message });
  response.end(JSON.stringify({ jsonrpc: "2.0", id, result: signature }));
});
let url: string;
beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const at = server.address();
  if (at === null || typeof at === "string") throw new Error("no port");
  url = `http://127.0.0.1:${at.port}`;
});
afterAll(async () => {
  server.close();
  server.closeAllConnections();
  await once(server, "close");
});
beforeEach(() => {
  seen = [];
  signer = account;
  refusal = null;
});

const data: TransferTypedData = {
  domain: offer.eip712_domain,
  types: transferTypes,
  primaryType: "TransferWithAuthorization",
  message: {
    from: account.address,
    to: payee,
    value: 100_000n,
    validAfter: 0n,
    validBefore: 4_000_000_000n,
    nonce: `0x${"11".repeat(32)}`,
  },
};
const wallet = (over: Partial<RemoteSignerOptions> = {}) =>
  remoteSigner({ url, address: account.address, token, ...over });

describe("a managed wallet", () => {
  it("pays for a proof, and is told the payment and nothing of what is proven", async () => {
    const { inputs, facts } = await purchase();
    const prover = new FakeProver(resultFor(facts));
    await buyProof({
      proverUrl: prover.proverUrl,
      fetch: prover.fetch,
      circuit,
      inputs,
      wallet: payingWallet(wallet()),
      expectedOffers: [ourOffer],
      store: memoryStore(),
      jobKey: "one",
    });
    const header = prover.paid[0]?.headers.get("payment-signature");
    const { payload } = decodeHeader(paymentPayloadSchema, header) ?? expect.fail("unreadable payment");
    expect(payload.authorization.from).toBe(account.address);
    expect(seen).toHaveLength(1);
    expect(seen[0]?.authorization).toBe(`Bearer ${token}`);
    const asked = JSON.stringify(seen);
    for (const part of inputs.jwt.split(".")) expect(asked).not.toContain(part);
    expect(asked).not.toContain(inputs.scope);
  });

  it("that signs with another key is not believed", async () => {
    signer = stranger;
    await expect(wallet().signTypedData(data)).rejects.toMatchObject({ code: "SIGNATURE_WRONG" });
  });

  it.each([403, 500, 307])(
    "that answers %d is asked once, and its words are not repeated",
    async (status) => {
      refusal = status;
      const failed: unknown = await wallet()
        .signTypedData(data)
        .catch((error: unknown) => error);
      expect(failed).toMatchObject({ code: "SIGNER_UNAVAILABLE" });
      expect(`${String(failed)} ${JSON.stringify(failed)}`).not.toMatch(/secret words|canary/);
      expect(failed).not.toHaveProperty("cause");
      expect(seen).toHaveLength(1);
    },
  );

  it("that does not know us, or is away, gives no signature", async () => {
    await expect(wallet({ token: "other" }).signTypedData(data)).rejects.toMatchObject({
      code: "SIGNER_UNAVAILABLE",
    });
    await expect(wallet({ url: "http://127.0.0.1:9" }).signTypedData(data)).rejects.toMatchObject({
      code: "SIGNER_UNAVAILABLE",
    });
  });

  it("gets no token over a line that others read", () => {
    for (const wrong of ["http://signer.example", "ftp://127.0.0.1", "signer"]) {
      expect(() => wallet({ url: wrong })).toThrowError(
        expect.objectContaining({ code: "SIGNER_URL_INVALID" }),
      );
    }
    expect(wallet({ url: "https://signer.example" }).address).toBe(account.address);
    expect(wallet({ url: "http://signer.example", token: undefined }).address).toBe(account.address);
  });
});
