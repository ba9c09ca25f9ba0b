import { expect, type Page } from "@playwright/test";
import { contract } from "@/lib/contract";
import * as en from "@/lib/i18n/en";
import { memoryStore } from "@/lib/proofs/client";
import { proveAttested } from "@/lib/proofs/client/attested";
import { developmentAccount, type Role } from "@/scripts/stack/accounts";
import { apiClient, type Client } from "@/scripts/stack/member";
import { deployment } from "./installation";
import { PROOF_TIMEOUT_MS, payButton } from "./proving";
import { WALLET_NAME } from "./wallet";

/** A member without a proof, and the API as they see it. */
export interface PlainMember {
  readonly token: string;
  readonly api: Client;
}

export async function plainMember(nickname: string): Promise<PlainMember> {
  const { token } = await apiClient(deployment).call(contract.auth.devLogin, { nickname });
  return { token, api: apiClient(deployment, token) };
}

/** The first category; topics need one. */
export async function anyCategory(api: Client): Promise<string> {
  const { categories } = await api.call(contract.categories.list, {});
  return categories[0]?.id ?? "";
}

/** A topic for checked people, founded through the API with a real proof of the role's wallet. */
export async function foundKycTopic(owner: PlainMember, title: string, role: Role): Promise<string> {
  const { nonce } = await owner.api.call(contract.auth.challenge, {});
  const { proof, publicInputs } = await proveAttested({
    circuit: "network_eligibility",
    scope: deployment.scope,
    nonce,
    deployment,
    proverUrl: deployment.services.proverUrl,
    attestationWallet: attestationWallet(role),
    paymentWallet: developmentAccount("deployer"),
    expectedOffers: deployment.offers,
    store: memoryStore(),
    jobKey: "one",
  });
  const { topic } = await owner.api.call(contract.topics.create, {
    title,
    categoryId: await anyCategory(owner.api),
    proofType: "kyc",
    proof,
    publicInputs,
  });
  return topic.id;
}

function attestationWallet(role: Role) {
  const account = developmentAccount(role);
  return {
    address: account.address,
    signMessage: account.signMessage,
    signTypedData: () => Promise.reject(new Error("no action was asked for")),
  };
}

/** On the start form: the test wallet holds the attestation. Ends at what is to be signed. */
export async function lookUp(page: Page): Promise<void> {
  await page
    .getByRole("group", { name: en.attested.holder })
    .getByRole("radio", { name: WALLET_NAME })
    .check();
  await page.getByRole("button", { name: en.attested.start }).click();
}

/** Signs what the screen shows; ends at the price. */
export async function signStatement(page: Page): Promise<void> {
  await page.getByRole("button", { name: en.attested.signWith }).click();
  await expect(page.getByRole("group", { name: en.signIn.wallet })).toBeVisible();
}

/** Pays from the browser's development wallet, chosen by hand. */
export async function payFromDevelopmentWallet(page: Page): Promise<void> {
  await page
    .getByRole("group", { name: en.signIn.wallet })
    .getByRole("radio", { name: en.wallet.development })
    .check();
  await payButton(page).click();
}

/** Waits until a seal that says this is stamped. */
export async function waitForStatement(page: Page, statement: string): Promise<void> {
  await expect(page.getByRole("heading", { name: `${en.run.stages.sealed}: ${statement}` })).toBeVisible({
    timeout: PROOF_TIMEOUT_MS,
  });
}
