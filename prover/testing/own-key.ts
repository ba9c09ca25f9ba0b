import type { Kysely } from "kysely";
import type { Hex } from "viem";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import type { SenderOptions } from "@/lib/chain/sender";
import { type Deployment, deploymentSchema } from "@/lib/proofs/deployment";
import { decodeHeader, paymentPayloadSchema } from "@/lib/proofs/wire";
import { dollarOffer, PROOF_PRICE } from "@/scripts/stack/contracts";
import { Chains } from "../chains";
import { Ledger } from "../payment/ledger";
import { PayeeSettler } from "../payment/payee-settler";
import { type AuthorizedPayment, matchOffer, requirements } from "../payment/payment";
import type { PaymentRow } from "../store/payments";
import type { ProverSchema } from "../store/schema";
import { Settlements } from "../store/settlements";
import { startTestChain } from "./chain";
import { createPayer, type Payer } from "./payer";

const price = BigInt(PROOF_PRICE);

/** A chain with payee settlement and nothing else of a prover: settlers are made and driven by hand. */
export async function startOwnKeyWorld() {
  const chain = await startTestChain(1);
  const { control } = chain;
  const key = generatePrivateKey();
  const account = privateKeyToAddress(key);
  await control.setBalance({ address: account, value: 10n ** 18n });
  const payTo = privateKeyToAddress(generatePrivateKey());
  const offer = dollarOffer(1, chain.token, payTo, "payee");
  const deployment: Deployment = deploymentSchema.parse({
    ...{ mode: "development", scope: "test", srs: { kind: "development", digest: `0x${"00".repeat(32)}` } },
    chains: [chain.description],
    ...{ verifiers: {}, issuers: [], offers: [offer], recordBoard: null },
    services: { appUrl: "http://a.example", proverUrl: "http://p.example", facilitatorUrl: null },
  });
  const ledger = new Ledger(new Chains(deployment));

  /** A signed payment of somebody who has the money. */
  async function authorize({
    payer = createPayer(),
    ...changes
  }: {
    validBefore?: number;
    validAfter?: number;
    payer?: Payer;
  } = {}): Promise<AuthorizedPayment> {
    await chain.mint(payer.address, price);
    const { header } = await payer.sign(requirements(offer), changes);
    const payload = decodeHeader(paymentPayloadSchema, header);
    const match = payload ? matchOffer({ kind: "authorization", payload }, [offer]) : undefined;
    if (!match || !("payment" in match) || match.payment.kind !== "authorization") {
      throw new Error("the payment does not match");
    }
    return match.payment;
  }

  return {
    chain,
    control,
    deployment,
    key,
    account,
    /** What was paid so far. */
    received: () => chain.balance(payTo),
    /** A settler as one process has it. */
    settler(
      db: Kysely<ProverSchema>,
      options: SenderOptions & { confirmMs?: number; maxCost?: bigint } = {},
    ) {
      const { confirmMs = 5_000, maxCost, ...sending } = options;
      return new PayeeSettler(ledger, new Settlements(db), {
        ...{ key, sending, chainIds: [1], confirmMs, maxCost: () => maxCost },
      });
    },
    /** A signed payment of somebody who has the money, and its row. */
    async payment(
      db: Kysely<ProverSchema>,
      changes: Parameters<typeof authorize>[0] = {},
    ): Promise<{ payment: AuthorizedPayment; row: PaymentRow }> {
      const payment = await authorize(changes);
      return { payment, row: await insertPayment(db, payment) };
    },
    authorize,
    /** Returns every stored signature with its transaction, in order. */
    async written(db: Kysely<ProverSchema>) {
      return await db
        .selectFrom("prover_chain.chain_signatures as g")
        .innerJoin("prover_chain.chain_transactions as t", "t.id", "g.transaction_id")
        .innerJoin("settlement_transaction as s", "s.transaction_id", "t.id")
        .select(["t.nonce", "t.state", "g.hash", "g.raw", "s.reverted_at"])
        .orderBy("t.nonce")
        .orderBy("g.created_at")
        .execute();
    },
    stop: () => chain.anvil.stop(),
  };
}
export type OwnKeyWorld = Awaited<ReturnType<typeof startOwnKeyWorld>>;

async function insertPayment(db: Kysely<ProverSchema>, payment: AuthorizedPayment): Promise<PaymentRow> {
  const { id, offer, payer, payTo, amount, nonce, validBefore } = payment;
  const inputHash: Hex = `0x${"00".repeat(32)}`;
  return await db
    .insertInto("payment")
    .values({
      ...{ id, network: offer.network, chain_id: 1, asset: offer.asset, payer, pay_to: payTo },
      ...{ authorization_nonce: nonce, amount: amount.toString(), valid_before: validBefore.toString() },
      ...{
        settlement: "payee",
        circuit: "oidc_domain_attestation",
        input_hash: inputHash,
        state: "settling",
      },
      ...{ from_block: 0, job_token_hash: id, created_at: new Date() },
      ...{ tx_hash: null, proof: null, public_inputs: null, timing: null },
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}
