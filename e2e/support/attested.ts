import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, type Page } from "@playwright/test";
import { z } from "zod";
import { contract } from "@/lib/contract";
import { t } from "@/lib/i18n/english";
import { developmentKey } from "@/scripts/stack/accounts";
import { apiClient, type Client } from "@/scripts/stack/member";
import { appOrigin, deployment } from "./installation";
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

/**
 * A topic for verified people, founded with a real proof of the role's wallet, made by `parley prove`.
 * @returns its id
 */
export async function foundKycTopic(
  owner: PlainMember,
  title: string,
  role: "browser" | "journey",
): Promise<string> {
  const { nonce } = await owner.api.call(contract.auth.challenge, {});
  const { proof, publicInputs } = await proveByCommand(role, ["network_eligibility", `--nonce=${nonce}`]);
  const { topic } = await owner.api.call(contract.topics.create, {
    title,
    categoryId: await anyCategory(owner.api),
    proofType: "kyc",
    proof,
    publicInputs,
  });
  return topic.id;
}

const printed = z.object({ proof: z.string(), publicInputs: z.array(z.string()) });

/** Runs `parley prove` without anybody to ask; the demo's wallet pays. Its standard output is the proof alone. */
async function proveByCommand(role: "browser" | "journey", args: readonly string[]) {
  const command = ["packages/parley-cli/parley.mjs", "prove", ...args, "--yes", "--url", appOrigin];
  const { stdout } = await promisify(execFile)(process.execPath, command, {
    env: {
      ...process.env,
      ATTESTATION_KEY: developmentKey(role),
      PAYMENT_PRIVATE_KEY: developmentKey("demo"),
    },
    timeout: PROOF_TIMEOUT_MS,
    maxBuffer: 1 << 20,
  });
  return printed.parse(JSON.parse(stdout));
}

/** On the start form: the test wallet holds the attestation. Ends at what is to be signed. */
export async function lookUp(page: Page): Promise<void> {
  await page
    .getByRole("group", { name: t("attested.holder") })
    .getByRole("radio", { name: WALLET_NAME })
    .check();
  await page.getByRole("button", { name: t("attested.start") }).click();
}

/** Signs what the screen shows; ends at the price. */
export async function signStatement(page: Page): Promise<void> {
  await page.getByRole("button", { name: t("attested.signWith") }).click();
  await expect(page.getByRole("group", { name: t("signIn.wallet") })).toBeVisible();
}

/** Pays from the browser's development wallet, chosen by hand. */
export async function payFromDevelopmentWallet(page: Page): Promise<void> {
  await page
    .getByRole("group", { name: t("signIn.wallet") })
    .getByRole("radio", { name: t("wallet.development") })
    .check();
  await payButton(page).click();
}

/** Waits until a seal that says this is stamped. */
export async function waitForStatement(page: Page, statement: string): Promise<void> {
  await expect(page.getByRole("heading", { name: `${t("run.stages.sealed")}: ${statement}` })).toBeVisible({
    timeout: PROOF_TIMEOUT_MS,
  });
}
