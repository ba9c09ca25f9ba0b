import { type BrowserContext, expect, type Page } from "@playwright/test";
import { contract } from "@/lib/contract";
import { t } from "@/lib/i18n/english";
import { sessionCookieName } from "@/lib/session/cookie";
import {
  anyCategory,
  foundKycTopic,
  lookUp,
  type PlainMember,
  payFromDevelopmentWallet,
  plainMember,
  signStatement,
  waitForStatement,
} from "./support/attested";
import { appOrigin, deployment, uniqueWord } from "./support/installation";
import { expectAccessible, expectContrast, expectNoSideways } from "./support/page-checks";
import { everythingStored, PROOF_TIMEOUT_MS, payButton, stageRow } from "./support/proving";
import { test } from "./support/test";
import { installWallet, WALLET_NAME } from "./support/wallet";

/**
 * Gates that ask a wallet, with real proofs: somebody founds a topic for some countries, others join it, one for
 * everybody but some countries and one for verified people; whoever lives elsewhere is stopped before anything leaves
 * their browser. (The development attester vouches for three wallets: browser in FR, journey in DE, demo in KR.)
 */
test.describe.configure({ mode: "serial" });
test.beforeEach(() => test.setTimeout(2 * PROOF_TIMEOUT_MS));

const word = uniqueWord();
const includedTitle = `Between two rivers ${word}`;
const excludedTitle = `Everywhere else ${word}`;
let founder: PlainMember;
let includedTopic = "";

async function actAs(page: Page, member: PlainMember): Promise<void> {
  await page.context().addCookies([{ name: sessionCookieName, value: member.token, url: appOrigin }]);
}

/** Everything this browser sends to our own server, as one text. */
function sentToUs(context: BrowserContext): () => string {
  const sent: string[] = [];
  context.on("request", (request) => {
    if (new URL(request.url()).origin !== appOrigin) return;
    sent.push(
      `${request.url()}\n${JSON.stringify(request.headers())}\n${request.postData() ?? ""}`.toLowerCase(),
    );
  });
  return () => sent.join("\n");
}

/** Which member of the topic somebody became, told by the page. */
async function expectMember(page: Page, title: string): Promise<void> {
  await page.getByRole("button", { name: t("common.goOn") }).click();
  await expect(page.getByRole("heading", { name: title, level: 1 })).toBeVisible();
  await expect(page.getByText(t("topic.member"), { exact: true }).first()).toBeVisible();
}

test("a topic for two countries is founded with a proof of its own gate", async ({ page, context }) => {
  founder = await plainMember(`fay_${word}`);
  await actAs(page, founder);
  const wallet = await installWallet(context, "browser");
  await page.goto("/topics/new");
  await page.getByLabel(t("newTopic.name")).fill(includedTitle);
  await page.getByLabel(t("topic.category")).selectOption({ index: 1 });
  await page.getByRole("radio", { name: new RegExp(`^${t("newTopic.countries")}`) }).check();
  const countries = page.getByRole("combobox", { name: t("newTopic.countries") });
  for (const typed of ["fran", "DE"]) {
    await countries.fill(typed);
    await countries.press("Enter");
  }
  await countries.press("Escape");
  const chosen = page.getByRole("list", { name: t("picker.chosen") });
  await expect(chosen.getByRole("button")).toHaveText(["France", "Germany"]);
  await expect(
    page.getByText(
      t("newTopic.countriesSay", { sentence: t("gate.country", { list: "France or Germany" }) }),
    ),
  ).toBeVisible();
  await page.getByRole("button", { name: t("newTopic.create") }).click();

  await lookUp(page);
  await expect(stageRow(page, "identity")).toContainText("France");
  await signStatement(page);
  await payFromDevelopmentWallet(page);
  await waitForStatement(page, t("seal.countries", { list: "FR or DE" }));
  expect([wallet.statements(), wallet.signatures()], "signed once, paid nothing").toEqual([1, 0]);
  await page.getByRole("button", { name: t("common.goOn") }).click();
  await expect(page.getByRole("heading", { name: includedTitle, level: 1 })).toBeVisible();
  const gate = page.getByRole("region", { name: t("topic.gateTitle") });
  await expect(gate).toContainText(t("gate.country", { list: "France or Germany" }));
  await expect(gate).toContainText(t("gate.satisfied"));
  includedTopic = new URL(page.url()).pathname.split("/").at(-1) ?? "";
  await page.goto("/profile");
  const seal = page
    .getByRole("main")
    .getByRole("button", { name: t("seal.open", { statement: t("seal.countries", { list: "FR or DE" }) }) });
  await expect(seal).toBeVisible();
});

test("whoever lives elsewhere is stopped in their own browser", async ({ page, context }) => {
  await actAs(page, await plainMember(`kim_${word}`));
  const wallet = await installWallet(context, "demo");
  const sent = sentToUs(context);
  await page.goto(`/topics/${includedTopic}/join`);
  await lookUp(page);
  await expect(
    page.getByText(t("attested.notInList", { country: "South Korea", asked: "France or Germany" })),
  ).toBeVisible();
  await expect(payButton(page)).toHaveCount(0);
  expect([wallet.statements(), wallet.signatures()]).toEqual([0, 0]);
  expect(sent()).not.toContain(wallet.address.slice(2).toLowerCase());
});

test("a neighbour joins: the wallet signs, another pays, and we never see the address", async ({
  page,
  context,
}) => {
  await actAs(page, await plainMember(`dana_${word}`));
  const wallet = await installWallet(context, "journey");
  const sent = sentToUs(context);
  await page.goto(`/topics/${includedTopic}/join`);
  await lookUp(page);
  await expect(stageRow(page, "identity")).toContainText("Germany");
  await expect(page.getByTestId("message")).toHaveText(/^0x[0-9a-f]{64}$/);
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
  await expectContrast(page);
  const size = page.viewportSize();
  for (const width of [390, 320]) await expectNoSideways(page, width);
  if (size) await page.setViewportSize(size);
  await signStatement(page);

  // Nothing is chosen to pay, and the attested account does not slip in.
  await expect(payButton(page)).toBeDisabled();
  await page.getByRole("radio", { name: t("wallet.otherAccount", { wallet: WALLET_NAME }) }).check();
  await payButton(page).click();
  await expect(page.getByText(t("wallet.notSeparate"))).toBeVisible();
  expect(wallet.signatures()).toBe(0);
  await payFromDevelopmentWallet(page);
  await waitForStatement(page, t("seal.countries", { list: "FR or DE" }));
  expect(wallet.signatures()).toBe(0);
  expect(sent()).not.toContain(wallet.address.slice(2).toLowerCase());
  await expectMember(page, includedTitle);
  expect(await everythingStored(page)).not.toContain("rawTransaction");
});

test.describe("on a desktop", () => {
  test("who lives in none of the excluded countries joins @long", async ({ page, context }) => {
    // What the founder proved, "lives in FR or DE", opens this gate too: no second proof for founding it.
    const { topic } = await founder.api.call(contract.topics.create, {
      title: excludedTitle,
      categoryId: await anyCategory(founder.api),
      proofType: "country",
      excludedCountries: ["KP", "IR"],
    });
    await actAs(page, await plainMember(`kai_${word}`));
    await installWallet(context, "demo");
    await page.goto(`/topics/${topic.id}/join`);
    await expect(page.getByText(t("gate.notCountry", { list: "North Korea or Iran" }))).toBeVisible();
    await lookUp(page);
    await signStatement(page);
    await payFromDevelopmentWallet(page);
    await waitForStatement(page, t("seal.notCountries", { list: "KP and IR" }));
    await expectMember(page, excludedTitle);
  });

  test("a verified person joins, also when the page is reloaded in the middle", async ({ page, context }) => {
    const title = `Verified people ${word}`;
    const topicId = await foundKycTopic(await plainMember(`olga_${word}`), title, "journey");
    await actAs(page, await plainMember(`per_${word}`));
    const wallet = await installWallet(context, "browser");
    // The seal is held back until the page has been reloaded, so that there always is a middle to reload in.
    await page.route("**/api/topics/*/join", () => {});
    await page.goto(`/topics/${topicId}/join`);
    await lookUp(page);
    await signStatement(page);
    await page.reload();
    await expect(page.getByRole("group", { name: t("signIn.wallet") })).toBeVisible();
    await payFromDevelopmentWallet(page);
    await expect(stageRow(page, "payment")).toContainText(t("seal.transaction"), { timeout: 60_000 });
    await page.unroute("**/api/topics/*/join");
    await page.reload();
    await waitForStatement(page, t("seal.person"));
    expect([wallet.statements(), wallet.signatures()], "signed once over two reloads").toEqual([1, 0]);
    await expectMember(page, title);
  });

  test("a wallet nobody vouched for is told where to go, and looks again", async ({ page }) => {
    await actAs(page, await plainMember(`nia_${word}`));
    await page.goto(`/topics/${includedTopic}/join`);
    await page
      .getByRole("group", { name: t("attested.holder") })
      .getByRole("radio", { name: t("wallet.development") })
      .check();
    await page.getByRole("button", { name: t("attested.start") }).click();
    await expect(page.getByText(t("attested.notFound"))).toBeVisible();
    const attester = page.waitForEvent("popup");
    await page.getByRole("link", { name: t("attested.openAttester") }).click();
    const desk = await attester;
    await desk.getByLabel("Country, two letters").fill("FR");
    await desk.getByRole("button", { name: "Attest country of residence" }).click();
    await expect(desk.getByText("Attested.")).toBeVisible();
    await page.getByRole("button", { name: t("attested.look") }).click();
    await expect(stageRow(page, "identity")).toContainText("France");
    await expect(page.getByRole("button", { name: t("attested.signWith") })).toBeVisible();
  });

  test("an action is shown in full, authorised, proven and carried out @long", async ({ page, context }) => {
    const address = deployment.examples?.eligibleAction?.address ?? "";
    expect(address, "the example contract is deployed").not.toBe("");
    const statement = `Fewer copies of passports, please (${word})`;
    const wallet = await installWallet(context, "browser");
    await page.goto("/actions/example");
    await page.getByLabel(t("petition.statement")).fill(statement);
    await lookUp(page);
    const sign = stageRow(page, "sign");
    await expect(sign).toContainText(address);
    await expect(sign).toContainText("5042002");
    await expect(sign).toContainText(t("petition.hashOf", { text: statement }));
    await signStatement(page);
    await payFromDevelopmentWallet(page);
    await expect(page.getByRole("heading", { name: t("petition.sealed") })).toBeVisible({
      timeout: PROOF_TIMEOUT_MS,
    });
    // A paid proof is not lost with the page.
    await page.reload();
    await page.getByRole("button", { name: t("petition.submit") }).click();
    await expect(page.getByRole("heading", { name: t("petition.done") })).toBeVisible({ timeout: 60_000 });
    await expect(page.getByText(t("petition.count", { n: 1 }))).toBeVisible();
    expect([wallet.statements(), wallet.signatures()]).toEqual([1, 0]);

    // The same person and the same statement: nothing to sign any more.
    await page.getByRole("button", { name: t("petition.again") }).click();
    await page.getByLabel(t("petition.statement")).fill(statement);
    await lookUp(page);
    await expect(page.getByText(t("petition.signedAlready"))).toBeVisible();
  });
});
