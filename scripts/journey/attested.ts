import assert from "node:assert/strict";
import { createPublicClient, createWalletClient, http } from "viem";
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { EligibleAction } from "@/contracts";
import {
  ELIGIBLE_ACTION_GAS,
  ELIGIBLE_ACTION_SCOPE,
  petitionTypedData,
  statementHash,
} from "@/contracts/eligible-action";
import { contract } from "@/lib/contract";
import { actionSchema } from "@/lib/proofs/attestation/action";
import { memoryStore, payingWallet } from "@/lib/proofs/client";
import { type AttestedStatement, attestationWallet, proveAttested } from "@/lib/proofs/client/attested";
import { chainOf, type Deployment } from "@/lib/proofs/deployment";
import { ProofInputError } from "@/lib/proofs/errors";
import { decodePublicInputs } from "@/lib/proofs/registry";
import { verifyOnChain } from "@/lib/proofs/verify";
import type { ProveResult } from "@/lib/proofs/wire";
import { developmentAccount } from "../stack/accounts";
import { attestWallet } from "../stack/attestations";
import type { Member } from "../stack/member";
import { refused, step } from "./step";

interface Journey {
  deployment: Deployment;
  run: string;
  /** Creates the gated topics, with her own wallet. */
  owner: Member;
  guest: Member;
  categoryId: string;
}

/** The same with the wallets of the two members. */
interface WalletGates extends Journey {
  ownersWallet: PrivateKeyAccount;
  guestsWallet: PrivateKeyAccount;
}

type Say = (detail: string) => void;

/** Buys a proof about an attested wallet. Another wallet pays. @param say gets the time it took */
async function prove(
  deployment: Deployment,
  holder: PrivateKeyAccount,
  statement: Omit<AttestedStatement, "scope"> & { scope?: string },
  say?: Say,
): Promise<ProveResult> {
  const result = await proveAttested({
    scope: deployment.scope,
    ...statement,
    deployment,
    proverUrl: deployment.services.proverUrl,
    attestationWallet: attestationWallet(holder),
    paymentWallet: payingWallet(developmentAccount("journey")),
    expectedOffers: deployment.offers,
    confirmAction: async () => true,
    store: memoryStore(),
    jobKey: "one",
  });
  say?.(took(result));
  return result;
}

function took({ timing }: ProveResult): string {
  return `proof ${(timing.proveMs / 1000).toFixed(1)} s`;
}

/** Buys a country proof for a join. The open challenge shows whose it is: the proof has no room for a challenge. */
async function countryProof(
  deployment: Deployment,
  member: Member,
  holder: PrivateKeyAccount,
  list: { countries: string[]; isIncluded: boolean },
  say: Say,
) {
  await member.api.call(contract.auth.challenge, {});
  const statement = { circuit: "partner_country_attestation", list } as const;
  const { proof, publicInputs } = await prove(deployment, holder, statement, say);
  return { proof, publicInputs };
}

/** Buys an identity proof that answers the member's own challenge. */
async function personProof(deployment: Deployment, member: Member, holder: PrivateKeyAccount, say?: Say) {
  const { nonce } = await member.api.call(contract.auth.challenge, {});
  const statement = { circuit: "network_eligibility", nonce } as const;
  const { proof, publicInputs } = await prove(deployment, holder, statement, say);
  return { proof, publicInputs };
}

/** Tests the gates that an attested wallet opens, and the other uses of its proofs. */
export async function walletGates(journey: Journey): Promise<void> {
  const { deployment } = journey;
  const ownersWallet = privateKeyToAccount(generatePrivateKey());
  const guestsWallet = privateKeyToAccount(generatePrivateKey());
  await step("the attester vouches for two wallets: person, and country", async (say) => {
    const attester = deployment.attestations?.explorerUrl ?? "";
    for (const [wallet, country] of [
      [ownersWallet, "FR"],
      [guestsWallet, "DE"],
    ] as const) {
      const { address } = wallet;
      await attestWallet(attester, { circuit: "network_eligibility", address });
      await attestWallet(attester, { circuit: "partner_country_attestation", address, country });
    }
    await attestWallet(attester, { circuit: "regional_attestation", address: guestsWallet.address });
    say("FR and DE");
  });
  const gates = { ...journey, ownersWallet, guestsWallet };
  await personGate(gates);
  await countryGates(gates);

  await step("regional_attestation is proven and verified on 91342", async (say) => {
    const statement = { circuit: "regional_attestation", nonce: "journey" } as const;
    const result = await prove(deployment, guestsWallet, statement, say);
    assert.equal(deployment.verifiers.regional_attestation?.chainId, 91342);
    assert.equal(await verifyOnChain(deployment, result), "valid");
  });
  await step("one action, authorized by a proof, is carried out on 5042002", (say) =>
    signPetition(gates, say),
  );
}

async function personGate(gates: WalletGates): Promise<void> {
  const { deployment, run, owner, guest, categoryId, ownersWallet, guestsWallet } = gates;
  const topicId = await step("create a topic for attested people", async (say) => {
    const { topic } = await owner.api.call(contract.topics.create, {
      ...{ title: `Attested ${run}`, categoryId, proofType: "kyc" },
      ...(await personProof(deployment, owner, ownersWallet, say)),
    });
    return topic.id;
  });
  await step("joining it asks for network_eligibility: 402", async () => {
    const error = await refused(402, "proof_required", () =>
      guest.api.call(contract.topics.join, { topicId }),
    );
    assert.match(JSON.stringify(error.body?.proofRequirement), /network_eligibility/);
  });
  await step("a proof that answers another member's challenge is refused", async (say) => {
    const proof = await personProof(deployment, owner, guestsWallet);
    await guest.api.call(contract.auth.challenge, {});
    await refused(400, "proof_wrong_challenge", () =>
      guest.api.call(contract.topics.join, { topicId, ...proof }),
    );
    say("proof_wrong_challenge");
  });
  await step("join with a proof of an attested person", async (say) => {
    const proof = await personProof(deployment, guest, guestsWallet, say);
    await guest.api.call(contract.topics.join, { topicId, ...proof });
  });
}

async function countryGates(gates: WalletGates): Promise<void> {
  const { deployment, run, owner, guest, categoryId, ownersWallet, guestsWallet } = gates;
  const included = { countries: ["DE", "FR", "NL"], isIncluded: true };
  const outside = { countries: ["IR", "KP"], isIncluded: false };
  const gated = { categoryId, proofType: "country" } as const;

  const insideId = await step("create a topic for residents of DE, FR or NL", async (say) => {
    const { topic } = await owner.api.call(contract.topics.create, {
      ...{ ...gated, title: `Neighbours ${run}`, allowedCountries: included.countries },
      ...(await countryProof(deployment, owner, ownersWallet, included, say)),
    });
    return topic.id;
  });
  const used = await step("join it with a country proof", async (say) => {
    const proof = await countryProof(deployment, guest, guestsWallet, included, say);
    await guest.api.call(contract.topics.join, { topicId: insideId, ...proof });
    const facts = decodePublicInputs("partner_country_attestation", proof.publicInputs);
    assert(facts.circuit === "partner_country_attestation");
    assert.deepEqual([facts.countries, facts.isIncluded], [included.countries, true]);
    return proof;
  });
  const outsideId = await step("create a topic for anyone outside IR and KP", async (say) => {
    const { topic } = await guest.api.call(contract.topics.create, {
      ...{ ...gated, title: `Elsewhere ${run}`, excludedCountries: outside.countries },
      ...(await countryProof(deployment, guest, guestsWallet, outside, say)),
    });
    return topic.id;
  });
  await step("the same proof a second time is refused: 409", async () => {
    await owner.api.call(contract.auth.challenge, {});
    await refused(409, "proof_used", () =>
      owner.api.call(contract.topics.join, { topicId: outsideId, ...used }),
    );
  });
  await step("join it with the stored proof of DE, FR or NL", () =>
    owner.api.call(contract.topics.join, { topicId: outsideId }),
  );
  await step("a proof of another country cannot be bought", async (say) => {
    const list = { countries: ["KR"], isIncluded: true };
    await assert.rejects(
      prove(deployment, guestsWallet, { circuit: "partner_country_attestation", list }),
      (error: unknown) => error instanceof ProofInputError && error.code === "COUNTRY_NOT_PROVEN",
    );
    say("COUNTRY_NOT_PROVEN");
  });
}

/** Signs the example petition: proves the action, then another account submits it. */
async function signPetition({ deployment, run, guestsWallet }: WalletGates, say: Say): Promise<void> {
  const example = deployment.examples?.eligibleAction;
  assert(example, "the installation has no example contract");
  const chain = chainOf(deployment, example.chainId);
  const statement = statementHash(`Journey ${run} was here`);
  const message = { statement, nonce: 0n, deadline: BigInt(Math.floor(Date.now() / 1000) + 3600) };
  const result = await prove(deployment, guestsWallet, {
    circuit: "network_eligibility",
    scope: ELIGIBLE_ACTION_SCOPE,
    action: actionSchema.parse(petitionTypedData(example, message)),
  });
  const submitter = createWalletClient({
    account: developmentAccount("journey"),
    transport: http(chain.rpcUrl),
  });
  const reader = createPublicClient({ transport: http(chain.rpcUrl), pollingInterval: 100 });
  const hash = await submitter.writeContract({
    address: example.address,
    abi: EligibleAction.abi,
    functionName: "sign",
    args: [result.proof, result.publicInputs, message],
    gas: ELIGIBLE_ACTION_GAS,
    chain: null,
  });
  const receipt = await reader.waitForTransactionReceipt({ hash, checkReplacement: false });
  assert.equal(receipt.status, "success");
  const signatures = await reader.readContract({
    address: example.address,
    abi: EligibleAction.abi,
    functionName: "signatures",
    args: [statement],
  });
  assert.equal(signatures, 1n);
  say(`${took(result)}, ${receipt.gasUsed.toLocaleString("en")} gas`);
}
