import { validateDiscoveryExtensionSpec } from "@x402/extensions/bazaar";
import {
  decodeSignedOffers,
  extractOffersFromPaymentRequired,
  extractReceiptFromResponse,
  findAcceptsObjectFromSignedOffer,
  isEIP712SignedOffer,
  isEIP712SignedReceipt,
  verifyOfferSignatureEIP712,
  verifyReceiptMatchesOffer,
  verifyReceiptSignatureEIP712,
} from "@x402/extensions/offer-receipt";
import { createSIWxPayload, encodeSIWxHeader, wrapFetchWithSIWx } from "@x402/extensions/sign-in-with-x";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { creditNoteSchema } from "@/lib/proofs/receipts";
import { decodeHeader, paymentRequiredSchema, settleResponseSchema } from "@/lib/proofs/wire";
import { signInMs } from "../store/sign-ins";
import { startLocalServer } from "../testing/local-server";
import { circuit } from "../testing/prover-client";
import { price, type ReplayingBackend, type RunningProver, type Stack } from "../testing/stack";
import { creditNoteSigner } from "../testing/statements";

const discoverySchema = z.looseObject({
  items: z.array(z.looseObject({ extensions: z.looseObject({ bazaar: z.unknown() }) })),
  fulfillment_policy: z.looseObject({ deadline_seconds: z.number(), credit_within_seconds: z.number() }),
  refund_policy: z.looseObject({ remedy: z.string() }),
  signals: z.looseObject({ receipts: z.looseObject({ signer: z.string() }) }),
});

const purchasesSchema = z.object({
  payer: z.string(),
  purchases: z.array(z.looseObject({ state: z.string(), jobToken: z.string().nullable() })),
});

/** What buyers can hold the prover to: signed offers, receipts, credit notes, deadlines, and their own purchases. */
export function sellersWord(stack: () => Stack): void {
  let running: RunningProver;
  let backend: ReplayingBackend;
  beforeAll(async () => {
    backend = stack().replaying();
    // A payer signs for an address: the challenge must name the one it is asked at.
    const free = await startLocalServer(() => undefined);
    await free.close();
    const port = Number(new URL(free.url).port);
    const { deployment } = stack();
    const services = { ...deployment.services, proverUrl: `http://127.0.0.1:${port}` };
    running = await stack().start({ port, deployment: { ...deployment, services } }, backend);
  });
  const discovery = async () =>
    discoverySchema.parse(await (await fetch(`${running.client.url}/.well-known/x402`)).json());
  const signerOf = async () => (await discovery()).signals.receipts.signer;
  const rowsOf = async (payer: string) => (await running.rows()).filter((row) => row.payer === payer);

  /** A payer whose proof failed until it became a credit, and the last answer. */
  async function credited() {
    const wallet = await stack().pay(running.client, { network: "eip155:1", money: price * 2n });
    backend.broken = true;
    try {
      for (;;) {
        const answer = await running.client.buy(stack().inputs, wallet.header);
        expect(answer.status).toBe(500);
        if (answer.error?.reason === "credited") return { wallet, answer };
      }
    } finally {
      backend.broken = false;
    }
  }

  describe("signed offers", () => {
    it("are one for each entry of accepts, by the published key, and verify offline", async () => {
      const { headers, challenge } = await running.client.post({ circuit });
      const required = decodeHeader(paymentRequiredSchema, headers.get("payment-required")) ?? expect.fail();
      const offers = extractOffersFromPaymentRequired(required);
      expect(offers).toHaveLength(challenge?.accepts.length ?? -1);
      const signer = await signerOf();
      for (const offer of offers) {
        if (!isEIP712SignedOffer(offer)) throw new Error("not eip712");
        expect((await verifyOfferSignatureEIP712(offer)).signer).toBe(signer);
        const forged = { ...offer, payload: { ...offer.payload, amount: "1" } };
        expect((await verifyOfferSignatureEIP712(forged)).signer).not.toBe(signer);
      }
      const [decoded = expect.fail()] = decodeSignedOffers(offers);
      expect(findAcceptsObjectFromSignedOffer(decoded, required.accepts)).toEqual(required.accepts[0]);
      const left = decoded.validUntil - Date.now() / 1000;
      expect([left > 500, left <= 600]).toEqual([true, true]);
    });

    it("bind: who signed the price before it rose pays that, also without a nonce", async () => {
      const { deployment, inputs } = stack();
      const wallet = await stack().pay(running.client, { money: price * 2n });
      const offers = deployment.offers.map((offer) => ({ ...offer, amount: (price * 2n).toString() }));
      const risen = await stack().start({ deployment: { ...deployment, offers } }, backend);
      const refused = await risen.client.buy(inputs, wallet.header);
      expect([refused.status, refused.error?.reason]).toEqual([402, "wrong_amount"]);
      // What it would find there had it sold at that price a moment ago.
      await risen.server.store.prices.enter(deployment.offers);
      const before = await wallet.left();
      expect((await risen.client.buy(inputs, wallet.header)).status).toBe(200);
      expect(before - (await wallet.left())).toBe(price);
    });

    it("fit into the headers that proxies let through by default", async () => {
      const { headers, challenge } = await running.client.post({ circuit });
      expect(headers.get("payment-required")?.length).toBeLessThan(8_000);
      const { payload } = challenge?.accepts[0] ? await echoed(challenge.accepts[0]) : expect.fail();
      expect(payload.length).toBeLessThan(8_000);
    });
  });

  /** PAYMENT-SIGNATURE as stock clients send it: with all extensions of the challenge. */
  async function echoed(offer: Parameters<Awaited<ReturnType<Stack["payer"]>>["sign"]>[0]) {
    const { header } = await (await stack().payer(0n)).sign(offer);
    const { headers } = await running.client.post({ circuit });
    const required = decodeHeader(paymentRequiredSchema, headers.get("payment-required"));
    const { extensions, resource } = required ?? expect.fail();
    const signed: object = JSON.parse(Buffer.from(header, "base64").toString());
    return { payload: Buffer.from(JSON.stringify({ ...signed, resource, extensions })).toString("base64") };
  }

  describe("receipts", () => {
    it("come with a proof, verify offline and match offer and payer", async () => {
      const wallet = await stack().pay(running.client);
      const challenge = await running.client.post({ circuit });
      const required = decodeHeader(paymentRequiredSchema, challenge.headers.get("payment-required"));
      const [offer = expect.fail()] = decodeSignedOffers(
        extractOffersFromPaymentRequired(required ?? expect.fail()),
      );
      const { status, headers, transaction, result } = await running.client.buy(
        stack().inputs,
        wallet.header,
      );
      expect(status).toBe(200);
      const receipt = extractReceiptFromResponse(new Response(null, { headers })) ?? expect.fail();
      if (!isEIP712SignedReceipt(receipt)) throw new Error("not eip712");
      const { signer, payload } = await verifyReceiptSignatureEIP712(receipt);
      expect([signer, payload.transaction]).toEqual([await signerOf(), transaction]);
      expect(verifyReceiptMatchesOffer(receipt, offer, [wallet.address])).toBe(true);
      const job = await running.client.job(result?.jobToken ?? "");
      expect(job.receipt?.payload.transaction).toBe(transaction);
    });

    it("are credit notes where a payment got no proof; its next proof has a receipt", async () => {
      const { wallet, answer } = await credited();
      const settled = decodeHeader(settleResponseSchema, answer.headers.get("payment-response"));
      const { creditNote } = z
        .object({ "credit-note": z.object({ info: z.object({ creditNote: creditNoteSchema }) }) })
        .parse(settled?.extensions)["credit-note"].info;
      expect(await creditNoteSigner(creditNote)).toBe(await signerOf());
      expect(creditNote.payload).toMatchObject({ amount: price.toString(), payer: wallet.address });
      expect(extractReceiptFromResponse(new Response(null, { headers: answer.headers }))).toBeUndefined();
      const { header } = await wallet.sign(await running.client.offer("eip155:1"));
      const next = await running.client.buy(stack().inputs, header);
      expect([next.status, await wallet.left()]).toEqual([200, price]);
      expect(extractReceiptFromResponse(new Response(null, { headers: next.headers }))).toBeDefined();
    });
  });

  describe("the promised time", () => {
    it("is published with what follows when it passes", async () => {
      expect(await discovery()).toMatchObject({
        fulfillment_policy: { deadline_seconds: 600, credit_within_seconds: 60, on_missed: "credit" },
        refund_policy: { remedy: "credit" },
      });
    });

    it("once passed is a credit by itself, also while the proof is being made, which redeems it", async () => {
      const { client, server, rows } = running;
      const open = backend.hold();
      onTestFinished(open);
      const wallet = await stack().pay(client);
      const { jobToken = "" } = await client.buy(
        { ...stack().inputs, provider: "provider_a" },
        wallet.header,
        {
          Prefer: "respond-async",
        },
      );
      await expect.poll(async () => (await client.job(jobToken)).status).toBe("proving");
      const state = async () => (await rowsOf(wallet.address))[0]?.state;
      await server.reconcile(Date.now() + 599_000);
      expect(await state()).toBe("settled");
      await server.reconcile(Date.now() + 601_000);
      expect(await state()).toBe("credited");
      const credit = () => server.store.credits.owed();
      expect((await credit()).filter(({ payer }) => payer === wallet.address)).toHaveLength(1);
      // It is not spent twice: this proof is on its way.
      const other = await wallet.sign(await client.offer("eip155:8453"));
      expect((await client.buy(stack().inputs, other.header)).error?.reason).toBe("insufficient_balance");
      open();
      expect((await client.events(jobToken)).at(-1)?.name).toBe("done");
      expect((await credit()).filter(({ payer }) => payer === wallet.address)).toEqual([]);
      expect((await rows()).every(({ state: each }) => each !== "settled")).toBe(true);
    });

    it("is counted on a public page: kept, missed and refunded", async () => {
      const read = async () => {
        const { days } = z
          .object({ days: z.array(z.object({ settled: z.int(), kept: z.int(), missed: z.int() })) })
          .parse(await (await fetch(`${running.client.url}/api/v1/promises`)).json());
        return days[0] ?? { settled: 0, kept: 0, missed: 0 };
      };
      const before = await read();
      const { header } = await stack().pay(running.client);
      expect((await running.client.buy(stack().inputs, header)).status).toBe(200);
      await credited();
      // Counted every ten seconds.
      const grown = async () => {
        const after = await read();
        return [after.settled - before.settled, after.kept - before.kept, after.missed - before.missed];
      };
      await expect.poll(grown).toEqual([2, 1, 1]);
      const page = await fetch(`${running.client.url}/api/v1/promises`, { headers: { accept: "text/html" } });
      expect(await page.text()).toContain("Promises kept and missed");
    });
  });

  describe("a payer who signs in with its wallet (sign-in-with-x)", () => {
    const address = () => `${running.client.url}/api/v1/purchases`;

    it("gets its proofs and credits by the stock client, and nobody else's", async () => {
      const { wallet } = await credited();
      const other = await stack().pay(running.client);
      expect((await running.client.buy(stack().inputs, other.header)).status).toBe(200);
      const read = async (account: typeof wallet.account) =>
        purchasesSchema.parse(await (await wrapFetchWithSIWx(fetch, account)(address())).json());
      const owed = await read(wallet.account);
      expect([owed.payer, owed.purchases.map(({ state }) => state)]).toEqual([wallet.address, ["credited"]]);
      expect(owed.purchases[0]).toHaveProperty("creditNote");
      const bought = await read(other.account);
      expect(bought.purchases.map(({ state }) => state)).toEqual(["proven"]);
      expect((await running.client.job(bought.purchases[0]?.jobToken ?? "")).result).toBeDefined();
      const stranger = await stack().payer(0n);
      expect((await read(stranger.account)).purchases).toEqual([]);
    });

    it("needs its own signature of our own challenge, in time and once", async () => {
      const wallet = await stack().payer(0n);
      const asked = async () => {
        const response = await fetch(address());
        expect(response.status).toBe(402);
        const required = z
          .looseObject({
            extensions: z.looseObject({ "sign-in-with-x": z.looseObject({ info: infoSchema }) }),
          })
          .parse(await response.json());
        return required.extensions["sign-in-with-x"].info;
      };
      const infoSchema = z.object({
        ...{ domain: z.string(), uri: z.string(), statement: z.string(), version: z.string() },
        ...{ nonce: z.string(), issuedAt: z.string(), expirationTime: z.string() },
      });
      const sign = async (changes: Partial<z.infer<typeof infoSchema>> = {}) => {
        const info = { ...(await asked()), ...changes, chainId: "eip155:8453", type: "eip191" as const };
        return await createSIWxPayload(info, wallet.account, info.uri);
      };
      const send = async (header: string) => {
        const response = await fetch(address(), { headers: { "sign-in-with-x": header } });
        return [
          response.status,
          z.looseObject({ reason: z.string().optional() }).parse(await response.json()).reason,
        ];
      };
      const good = await sign();
      const victim = (await stack().payer(0n)).address;
      expect(await send("%")).toEqual([400, "malformed"]);
      expect(await send(encodeSIWxHeader({ ...good, address: victim }))).toEqual([
        400,
        "invalid_siwx_signature",
      ]);
      expect(await send(encodeSIWxHeader({ ...good, chainId: "eip155:10" }))).toEqual([
        400,
        "unsupported_chain",
      ]);
      // Refused ones did not use it up.
      expect(await send(encodeSIWxHeader(good))).toEqual([200, undefined]);
      expect(await send(encodeSIWxHeader(good))).toEqual([400, "invalid_siwx_nonce"]);
      const forged = await sign({ nonce: "ab".repeat(32) });
      expect(await send(encodeSIWxHeader(forged))).toEqual([400, "invalid_siwx_nonce"]);
      const { signIns } = running.server.store;
      expect(await signIns.use(signIns.issue(Date.now() - signInMs))).toBe(false);
      const old = await sign({ issuedAt: new Date(Date.now() - 301_000).toISOString() });
      expect(await send(encodeSIWxHeader(old))).toEqual([400, "invalid_siwx_issued_at_too_old"]);
      const elsewhere = { domain: "evil.example", uri: "https://evil.example/api/v1/purchases" };
      const info = { ...(await asked()), ...elsewhere, chainId: "eip155:8453", type: "eip191" as const };
      const relayed = await createSIWxPayload(info, wallet.account, elsewhere.uri);
      expect(await send(encodeSIWxHeader(relayed))).toEqual([400, "invalid_siwx_domain_mismatch"]);
    });
  });

  describe("catalogs of x402 services", () => {
    it("find a valid Bazaar description in the challenge and in /.well-known/x402", async () => {
      const { extensions = {} } = await running.client.challenge();
      const listed = (await discovery()).items.map((item) => item.extensions.bazaar);
      for (const declared of [extensions.bazaar, ...listed]) {
        const bazaar = z.record(z.string(), z.unknown()).parse(declared);
        expect(validateDiscoveryExtensionSpec(bazaar)).toMatchObject({ valid: true });
      }
    });
  });
}
