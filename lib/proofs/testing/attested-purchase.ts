import type { Hex } from "viem";
import { readAction } from "../attestation/action";
import { type AttestedStatement, expectedPublicInputs, type ProveAttestedRequest } from "../client/attested";
import { memoryStore } from "../client/stores";
import { type AttestationWallet, attestationWallet } from "../client/wallets";
import type { AttestedCircuit } from "../trust/attesters";
import { AttestationWorld } from "./attestation-world";
import { person, stranger } from "./attestations";
import { FakeProver, ourOffer, payee } from "./prover";
import { countingWallet } from "./purchase";

/** What every purchase of a wallet proof in a test needs: the statements, an attested wallet, a payer, a prover. */

export const scope = "zk-community";
export const action = readAction({
  domain: { name: "Petition", version: "1", chainId: 5042002, verifyingContract: stranger.address },
  types: { Sign: [{ name: "petition", type: "uint256" }] },
  primaryType: "Sign",
  message: { petition: 7 },
});
const country = "partner_country_attestation";
export const statements = {
  "a country": { circuit: country, scope, list: { countries: ["DE", "FR"], isIncluded: true } },
  "no country of a list": { circuit: country, scope, list: { countries: ["US"], isIncluded: false } },
  "an identity": { circuit: "network_eligibility", scope, nonce: "n0nce" },
  "an action": { circuit: "network_eligibility", scope, action },
  "a regional identity": { circuit: "regional_attestation", scope, nonce: "n0nce" },
  "a regional action": { circuit: "regional_attestation", scope, action },
} satisfies Record<string, AttestedStatement>;

/** A prover whose proofs show these words. */
export function proverFor(circuit: AttestedCircuit, publicInputs: readonly Hex[]): FakeProver {
  return new FakeProver({
    circuit,
    proof: "0x1234",
    publicInputs: [...publicInputs],
    proofWithInputs: "0x1234",
    verification: { chainId: 8453, verifierAddress: payee, rpcUrl: "https://rpc.test" },
    timing: { totalMs: 1, paymentMs: 1, witnessMs: 1, proveMs: 1 },
    attestation: null,
  });
}

/** The attested wallet, which remembers what it was asked to sign. */
function attestedWallet(): AttestationWallet & { asked: unknown[] } {
  const asked: unknown[] = [];
  const wallet = attestationWallet({
    address: person.address,
    signMessage: (request) => {
      asked.push(request);
      return person.signMessage(request);
    },
    signTypedData: (data) => {
      asked.push(data);
      return person.signTypedData(data);
    },
  });
  return { ...wallet, asked };
}

/** A world with one attestation, from France, a prover that proves the statement, and a request for it. */
export async function attestedPurchase(statement: AttestedStatement) {
  const world = new AttestationWorld(statement.circuit);
  await world.attest();
  const { deployment } = world;
  const user = person.address;
  const setting = {
    world,
    prover: proverFor(statement.circuit, expectedPublicInputs({ ...statement, deployment, user })),
    payer: countingWallet(),
    wallet: attestedWallet(),
    store: memoryStore(),
    /** Stages in order. */
    stages: [] as string[],
  };
  const reach: typeof fetch = (input, init) =>
    String(input).startsWith(setting.prover.proverUrl)
      ? setting.prover.fetch(input, init)
      : setting.world.fetch(input, init);
  const request = (over: Partial<ProveAttestedRequest> = {}): ProveAttestedRequest => ({
    ...statement,
    deployment,
    proverUrl: setting.prover.proverUrl,
    fetch: reach,
    attestationWallet: setting.wallet,
    paymentWallet: setting.payer,
    confirmAction: async () => true,
    expectedOffers: [ourOffer],
    onProgress: ({ stage }) => setting.stages.push(stage),
    store: setting.store,
    jobKey: "job",
    retryPausesMs: [0, 0, 0],
    ...over,
  });
  return Object.assign(setting, { request });
}
