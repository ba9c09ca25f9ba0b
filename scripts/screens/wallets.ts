import type { Page } from "@playwright/test";
import type { Deployment } from "@/lib/proofs/deployment";
import type { AttestedCircuit } from "@/lib/proofs/trust/attesters";
import { attestWallet } from "../stack/attestations";
import { type Camera, type Session, type Size, untilQuiet } from "./pictures";
import { countryName, matching, t } from "./words";

const PROOF_TIMEOUT_MS = 120_000;

/** A topic whose gate asks for a wallet's attestation. */
export interface WalletTopic {
  readonly title: string;
  readonly description: string;
  readonly circuit: AttestedCircuit;
  /** ISO 3166 codes; empty for a gate for verified people. */
  readonly countries: readonly string[];
}

export const COUNTRY_TOPIC: WalletTopic = {
  title: "Trains between Paris, Berlin and Amsterdam",
  description: "Connections missed and made, for those who live along the line.",
  circuit: "partner_country_attestation",
  countries: ["FR", "DE", "NL"],
};

export const KYC_TOPIC: WalletTopic = {
  title: "One person, one voice",
  description: "Drafts for the member vote. Everybody here was checked once, and nobody knows by which name.",
  circuit: "network_eligibility",
  countries: [],
};

/**
 * Creates a topic in the form, with a proof of its own gate from the browser's development wallet, and takes screenshots
 * of the stages: before and after the development attester vouches for the wallet. A member who has proven the gate
 * before creates the topic at once, without screenshots.
 * @returns the topic's ID
 */
export async function picturedFounding(
  camera: Camera,
  size: Size,
  session: Session,
  topic: WalletTopic,
  deployment: Deployment,
): Promise<string> {
  const context = await camera.context(size, session);
  const page = await context.newPage();
  page.setDefaultTimeout(PROOF_TIMEOUT_MS);
  await untilQuiet(page, () => page.goto("/topics/new"));
  await fillWalletTopic(page, topic);
  await page.getByRole("button", { name: t("newTopic.create") }).click();
  const heading = page.getByRole("heading", { name: topic.title, level: 1 });
  const holder = page.getByRole("radio", { name: t("wallet.development") });
  await heading.or(holder).waitFor();
  if (await holder.isVisible()) await picturedRun(camera, page, topic, deployment);
  await heading.waitFor();
  const id = new URL(page.url()).pathname.split("/").at(-1) ?? "";
  await context.close();
  return id;
}

/** Takes screenshots from the choice of the wallet to the seal. */
async function picturedRun(
  camera: Camera,
  page: Page,
  topic: WalletTopic,
  deployment: Deployment,
): Promise<void> {
  await page.getByRole("radio", { name: t("wallet.development") }).check();
  await camera.take(page, "wallet-start", { whole: true });
  await page.getByRole("button", { name: t("attested.start") }).click();
  const attester = page.getByRole("link", { name: t("attested.openAttester") });
  await attester.waitFor();
  await camera.take(page, "wallet-unknown", { whole: true });
  const address = new URL((await attester.getAttribute("href")) ?? "").searchParams.get("address") ?? "";
  const country = topic.countries.length > 0 ? "FR" : undefined;
  await attestWallet(deployment.attestations?.graphqlUrl ?? "", { circuit: topic.circuit, address, country });

  await page.getByRole("button", { name: t("attested.look") }).click();
  const sign = page.getByRole("button", { name: t("attested.signWith") });
  await sign.waitFor();
  await camera.take(page, "wallet-sign", { whole: true });
  await sign.click();
  await page
    .getByRole("group", { name: t("signIn.wallet") })
    .getByRole("radio")
    .first()
    .check();
  await camera.take(page, "wallet-price", { whole: true });
  await page.getByRole("button", { name: matching((amount) => t("run.pay", { amount })) }).click();
  await page.getByRole("heading", { name: t("run.stages.sealed") }).waitFor();
  await untilQuiet(page, () => page.waitForLoadState());
  await camera.take(page, "wallet-sealed", { whole: true });
  await page.getByRole("button", { name: t("common.goOn") }).click();
}

/** Fills in the form for a topic. */
export async function fillWalletTopic(page: Page, topic: WalletTopic): Promise<void> {
  await page.getByLabel(t("newTopic.name")).fill(topic.title);
  await page.getByLabel(t("newTopic.description")).fill(topic.description);
  await page.getByLabel(t("topic.category")).selectOption({ index: 1 });
  const gate = topic.countries.length > 0 ? t("newTopic.countries") : t("newTopic.gateKyc");
  await page.getByRole("radio", { name: new RegExp(`^${gate}`) }).check();
  for (const country of topic.countries) {
    const field = page.getByRole("combobox", { name: t("newTopic.countries") });
    await field.fill(countryName(country));
    await field.press("Enter");
  }
}
