import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import type { BuyProofRequest } from "../client/buy";
import { type PayingWallet, payingWallet, type TransferTypedData } from "../client/wallets";
import { encodeOidcPublicInputs, type OidcPublicInputs } from "../layouts/oidc";
import { oidcFacts } from "../oidc/claims";
import type { ProveResult } from "../wire";
import { type FakeProver, ourOffer, payee } from "./prover";
import { testIssuer } from "./tokens";

/** What every purchase in a test needs: a payer, a provable token, and the proof it should buy. */

export const account = privateKeyToAccount(generatePrivateKey());
export const circuit = "oidc_domain_attestation";

/** Wire inputs with a fresh token, and the public facts a proof of them shows. */
export async function purchase() {
  const issuer = await testIssuer("k");
  const now = Math.floor(Date.now() / 1000);
  const claims = {
    iss: "https://i.test",
    aud: "client",
    email: "a@b.c",
    email_verified: true,
    iat: now,
    exp: now + 600,
  };
  const inputs = { jwt: await issuer.sign(claims), scope: "zk-community", provider: "provider_a" as const };
  const facts: OidcPublicInputs = { ...oidcFacts(inputs.jwt, inputs), modulus: (1n << 2047n) + 1n };
  return { inputs, facts };
}

export function resultFor(facts: OidcPublicInputs): Omit<ProveResult, "jobToken"> {
  return {
    circuit,
    proof: "0x1234",
    publicInputs: encodeOidcPublicInputs(facts),
    proofWithInputs: "0x1234",
    verification: { chainId: 8453, verifierAddress: payee, rpcUrl: "https://rpc.test" },
    timing: { totalMs: 1, paymentMs: 1, witnessMs: 1, proveMs: 1 },
    attestation: null,
  };
}

/** A request of a proof from a fake prover, which no pause between retries delays. */
export function requestTo(
  { proverUrl, fetch }: FakeProver,
  bought: Pick<BuyProofRequest, "inputs" | "wallet" | "store">,
): BuyProofRequest {
  return {
    ...bought,
    proverUrl,
    fetch,
    circuit,
    expectedOffers: [ourOffer],
    jobKey: "login-1",
    retryPausesMs: [0, 0, 0, 0, 0, 0, 0, 0],
  };
}

/** The payer's wallet, which remembers what it signed. */
export function countingWallet(): PayingWallet & { signed: TransferTypedData[] } {
  const signed: TransferTypedData[] = [];
  const wallet = payingWallet({
    address: account.address,
    signTypedData: (data) => {
      signed.push(data);
      return account.signTypedData(data);
    },
  });
  return { ...wallet, signed };
}
