import {
  declareSIWxExtension,
  parseSIWxHeader,
  SIGN_IN_WITH_X,
  validateSIWxMessage,
  verifySIWxSignature,
} from "@x402/extensions/sign-in-with-x";
import type { Context } from "hono";
import { type Address, getAddress, isAddress } from "viem";
import type { Deployment } from "@/lib/proofs/deployment";
import { encodeHeader, headers } from "@/lib/proofs/wire";
import type { Chains } from "../chains";
import { jobPayment } from "../jobs/run";
import type { PaymentState } from "../jobs/state";
import { keepProofsMs } from "../jobs/upkeep";
import { requirements } from "../payment/payment";
import { refusals } from "../refusal";
import type { PaymentEnd, Seller } from "../seller/seller";
import type { PaymentRow, PaymentStore } from "../store/payments";
import type { Purchases } from "../store/purchases";
import { type SignIns, signInMs } from "../store/sign-ins";
import type { Limits } from "./limits";
import { type Purchase, SIGN_IN_HEADER } from "./routes";

export interface PurchaseDependencies {
  deployment: Deployment;
  chains: Chains;
  signIns: SignIns;
  limits: Pick<Limits, "challenge">;
  purchases: Purchases;
  payments: Pick<PaymentStore, "tokenOf">;
  seller: Pick<Seller, "statement">;
}

/**
 * GET /api/v1/purchases: a payer's settled payments of the last day and open credits, for whoever signs in with the paying
 * wallet (x402 extension "sign-in-with-x"). Costs nothing: `accepts` has amounts of 0, because stock clients choose the
 * chain to sign in on from there.
 */
export function purchasesHandler(deps: PurchaseDependencies) {
  return async (c: Context): Promise<Response> => {
    await deps.limits.challenge(c);
    const header = c.req.header(SIGN_IN_HEADER);
    if (header === undefined) return challenge(deps);
    const payer = await signedIn(deps, header);
    const rows = await deps.purchases.of(payer, new Date(Date.now() - keepProofsMs));
    const purchases = await Promise.all(rows.map((row) => shown(deps, row)));
    return c.json({ payer, purchases }, 200, { "cache-control": "no-store" });
  };
}

function challenge({ deployment, signIns }: PurchaseDependencies): Response {
  const { proverUrl } = deployment.services;
  const { host } = new URL(proverUrl);
  const uri = `${proverUrl}/api/v1/purchases`;
  const network = [...new Set(deployment.offers.map((offer) => offer.network))];
  const statement = "Show me the proofs and credits that this wallet paid for.";
  const { [SIGN_IN_WITH_X]: declared } = declareSIWxExtension({ statement, network });
  const [issuedAt, expirationTime] = [0, signInMs].map((ms) => new Date(Date.now() + ms).toISOString());
  const { info, supportedChains, schema } = declared ?? {};
  const asked = { ...info, domain: host, uri, nonce: signIns.issue(), issuedAt, expirationTime };
  const required = {
    x402Version: 2,
    error: "sign in with the wallet that paid; it costs nothing",
    resource: { url: uri, description: "Proofs and credits of a payer", mimeType: "application/json" },
    accepts: deployment.offers.map((offer) => ({ ...requirements(offer), amount: "0" })),
    extensions: { [SIGN_IN_WITH_X]: { info: asked, supportedChains, schema } },
  };
  const body = { ...required, error: "SIGN_IN_REQUIRED", message: required.error };
  return Response.json(body, {
    status: 402,
    headers: { [headers.paymentRequired]: encodeHeader(required), "cache-control": "no-store" },
  });
}

/** @returns the wallet that signed @throws ProverRefusal 400 INVALID_REQUEST, or 503 when its chain does not answer */
async function signedIn(deps: PurchaseDependencies, header: string): Promise<Address> {
  const { deployment, chains, signIns } = deps;
  const payload = parsed(header);
  const offer = deployment.offers.find(({ network }) => network === payload.chainId);
  if (!offer) throw wrong("the chain must be one of those in the challenge", "unsupported_chain");
  if (!isAddress(payload.address)) throw wrong("the address must be a checksummed EVM address", "address");
  // The signature first: a nonce is used up only by who holds the wallet.
  const { verifyMessage } = chains.client(offer.chainId);
  const verified = await verifySIWxSignature(payload, {
    evmVerifier: async (message) => await verifyMessage(message),
  });
  if (!verified.isValid && verified.invalidReason === "invalid_siwx_verifier_error") {
    throw refusals.unavailable("chain_unavailable", "the wallet's chain does not answer");
  }
  if (!verified.isValid) throw wrong("the signature is not this wallet's", verified.invalidReason);
  const { proverUrl } = deployment.services;
  const checked = await validateSIWxMessage(payload, new URL(proverUrl), {
    maxAge: signInMs,
    checkNonce: (nonce) => signIns.use(nonce),
  });
  if (!checked.isValid)
    throw wrong(
      "not a fresh sign-in for this service: ask for a new challenge and sign it",
      checked.invalidReason,
    );
  return getAddress(payload.address);
}

function parsed(header: string) {
  try {
    return parseSIWxHeader(header);
  } catch {
    throw wrong("not a sign-in of the x402 extension sign-in-with-x", "malformed");
  }
}

const wrong = (message: string, reason: string) =>
  refusals.invalid("INVALID_REQUEST", message, SIGN_IN_HEADER, reason);

async function shown({ payments, seller }: PurchaseDependencies, row: PaymentRow): Promise<Purchase> {
  const payment = jobPayment(row);
  return {
    circuit: row.circuit,
    state: row.state,
    payment,
    settledAt: (row.settled_at ?? row.created_at).toISOString(),
    // The job of a proof that is still kept, or still being made.
    jobToken: row.state === "proven" && row.proof === null ? null : await payments.tokenOf(row),
    ...(await seller.statement(payment, endOf(row.state))),
  };
}

function endOf(state: PaymentState): PaymentEnd | undefined {
  if (state === "proven") return "proof";
  return state === "credited" ? "credit" : undefined;
}
