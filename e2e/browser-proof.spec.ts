import { readFile } from "node:fs/promises";
import { type Browser, type BrowserContext, expect, type Page } from "@playwright/test";
import type { Hex } from "viem";
import { z } from "zod";
import { t } from "@/lib/i18n/english";
import { hex32Schema, hexSchema } from "@/lib/proofs/hex";
import { type CeremonyWorld, ceremonyWorld } from "./support/ceremony-world";
import { deployment, uniqueWord } from "./support/installation";
import { collectProblems, expectAccessible } from "./support/page-checks";
import { answerAsProvider, changeHow, PRICE, payButton, stageRow, waitForSeal } from "./support/proving";
import { test } from "./support/test";

/**
 * Proofs that are made in the browser: the whole of it, from the provider's signature to the seal, on real points of the
 * ceremony, with a small circuit whose verifier stands on a chain of its own.
 */

const domain = `here-${uniqueWord()}.example`;
const accepted = z.object({ result: z.object({ proof: hexSchema, publicInputs: z.array(hex32Schema) }) });

const browserCard = (page: Page) => page.getByRole("radio", { name: new RegExp(`^${t("prover.browser")}`) });

/** Chooses this browser and goes to the provider, which sends back at once. */
async function startHere(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/sign-in`);
  await changeHow(page);
  await browserCard(page).check();
  await expect(page.getByText(t("prover.freeNote"))).toBeVisible();
  await page.getByRole("button", { name: t("signIn.continueWith", { provider: "" }) }).click();
}

/** Another byte in a word that holds one. */
const other = (word: Hex): Hex => (word.endsWith("01") ? `0x${"0".repeat(62)}02` : `0x${"0".repeat(62)}01`);

interface Sent {
  readonly address: URL;
  readonly text: string;
  readonly body: string | null;
}

/** Everything a browser sends, its workers included. */
function recordTraffic(context: BrowserContext): readonly Sent[] {
  const sent: Sent[] = [];
  context.on("request", (request) => {
    const body = request.postData();
    const text = [request.url(), JSON.stringify(request.headers()), body ?? ""].join("\n");
    sent.push({ address: new URL(request.url()), text, body });
  });
  return sent;
}

const processes = z.object({ processInfo: z.array(z.object({ type: z.string(), id: z.int() })) });

/** Returns the most memory a page's process of this browser has held, in MiB. */
async function peakMib(browser: Browser): Promise<number> {
  const devtools = await browser.newBrowserCDPSession();
  const { processInfo } = processes.parse(await devtools.send("SystemInfo.getProcessInfo"));
  const peaks = processInfo
    .filter(({ type }) => type === "renderer")
    .map(async ({ id }) => /VmHWM:\s+(\d+) kB/.exec(await readFile(`/proc/${id}/status`, "utf8"))?.[1]);
  await devtools.detach();
  return Math.max(...(await Promise.all(peaks)).map(Number)) / 1024;
}

const of = (sent: readonly Sent[], path: string) =>
  sent.filter(({ address }) => address.pathname.startsWith(path));

test.describe("on the ceremony's points @once", () => {
  let world: CeremonyWorld;
  test.beforeAll(async () => {
    test.setTimeout(90_000);
    world = await ceremonyWorld(`ada@${domain}`);
  });
  test.afterAll(() => world?.stop());

  test("a proof made in the browser is accepted by contract and server, on threads, and nothing it is made from leaves", async ({
    page,
    context,
    browser,
  }) => {
    let seconds = 0;
    page.on("worker", (worker) => {
      const begun = performance.now();
      worker.on("close", () => {
        seconds = Math.max(seconds, (performance.now() - begun) / 1000);
      });
    });
    const sent = recordTraffic(context);
    const problems = collectProblems(page);
    await startHere(page, world.url);
    await waitForSeal(page, domain);
    expect(await page.evaluate(() => crossOriginIsolated), "threads may be used").toBe(true);
    await expect.poll(() => page.workers().length, "the worker and its threads are gone").toBe(0);
    const peak = await peakMib(browser);
    console.log(
      `browser proof: ${seconds.toFixed(1)} s in its worker, page process ${peak.toFixed(0)} MiB at most`,
    );
    expect(seconds).toBeGreaterThan(0);

    const [handedIn] = of(sent, "/api/auth/verify/ai");
    const body = JSON.parse(handedIn?.body ?? "null");
    const { proof, publicInputs } = accepted.parse(body).result;
    expect(await world.verify(proof, publicInputs)).toBe(true);
    // Another nullifier, and another domain: somebody else, somewhere else.
    for (const word of [18, 114]) {
      const changed = publicInputs.map((value, i) => (i === word ? other(value) : value));
      expect(changed).not.toEqual(publicInputs);
      expect(await world.verify(proof, changed), `word ${word}`).toBe(false);
      const fresh = await page.request.post(`${world.url}/api/auth/challenge`, { data: {} });
      const { challengeId } = z.object({ challengeId: z.string() }).parse(await fresh.json());
      const answer = await page.request.post(`${world.url}/api/auth/verify/ai`, {
        data: { challengeId, result: { ...body.result, publicInputs: changed } },
      });
      expect(answer.ok()).toBe(false);
    }

    expect(of(sent, "/proving/points"), "the recorder sees what workers send").toHaveLength(1);
    const [token = ""] = await world.tokens();
    const [, claims = "", signature = ""] = token.split(".");
    const leaks = sent.filter(({ text }) => [claims, signature, "ada@"].some((part) => text.includes(part)));
    expect(leaks.map(({ address }) => address.href)).toEqual([]);
    expect(
      sent.filter(({ address }) => address.port === "1"),
      "no prover was asked",
    ).toEqual([]);
    expect(problems).toEqual([]);

    // The second time nothing that is the same for everybody is fetched or made again.
    await context.clearCookies({ name: /session/ });
    const before = sent.length;
    await startHere(page, world.url);
    await waitForSeal(page, domain);
    expect(of(sent.slice(before), "/api/auth/verify/ai")).toHaveLength(1);
    expect(of(sent.slice(before), "/proving/points")).toEqual([]);
  });

  test("another circuit is refused before anything is made, the server's prover is at hand, and cancelling ends the work", async ({
    page,
  }) => {
    let tampered = true;
    await page.route("**/proving/circuits/**", async (route) => {
      const response = await route.fetch();
      const text = await response.text();
      await route.fulfill({ response, body: tampered ? text.replace('"name"', '"name" ') : text });
    });
    // The points are on their way for as long as nobody cancels. They are asked for together with the circuit: had they
    // arrived before it was refused, they would be there the next time.
    await page.route("**/proving/points/**", () => {});
    await startHere(page, world.url);
    await expect(page.getByText(t("prover.problems.circuit_changed"))).toBeVisible();
    await expect.poll(() => page.workers().length).toBe(0);
    await expectAccessible(page);

    tampered = false;
    await page.getByRole("button", { name: t("common.retry") }).click();
    await expect.poll(() => page.workers().length).toBe(1);
    await expect(stageRow(page, "prepare")).toContainText(t("prover.about.prepare"));
    await page.getByRole("button", { name: t("common.cancel"), exact: true }).click();
    const dialog = page.getByRole("dialog", { name: t("run.cancelTitle") });
    await expect(dialog).toContainText(t("prover.cancelHere"));
    await dialog.getByRole("button", { name: t("run.cancelConfirm") }).click();
    await expect.poll(() => page.workers().length).toBe(0);
    await changeHow(page);
    await expect(browserCard(page), "the choice is kept on the device").toBeChecked();

    await page.unroute("**/proving/points/**");
    tampered = true;
    await page.getByRole("button", { name: t("signIn.continueWith", { provider: "" }) }).click();
    await page.getByRole("button", { name: t("prover.switchServer") }).click();
    await expect(payButton(page), "what the provider signed is still there").toBeVisible();
  });
});

test.describe("on the development stack @once", () => {
  test("this browser is not offered, and the page says why", async ({ page }) => {
    await page.goto("/sign-in");
    await changeHow(page);
    await expect(browserCard(page)).toBeDisabled();
    await expect(page.getByText(t("prover.unavailable.development_srs"))).toBeVisible();
    await expectAccessible(page);
  });

  test("an own prover may be called once it was chosen, by the pages that make proofs, and names its price", async ({
    page,
    request,
  }) => {
    const { origin } = new URL(deployment.services.proverUrl);
    await page.goto("/sign-in");
    await changeHow(page);
    await page.getByRole("radio", { name: new RegExp(`^${t("prover.own")}`) }).check();
    const address = page.getByLabel(t("prover.address"));
    const go = page.getByRole("button", { name: t("signIn.continueWith", { provider: "" }) });
    await address.fill("http://prover.example");
    await expect(page.getByText(t("prover.addressWrong"))).toBeVisible();
    await expect(go).toBeDisabled();
    await address.fill("https://prover.example");
    await expect(go).toBeEnabled();
    const cookies = async () =>
      (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join("; ");
    // The page keeps the choice after it has shown it.
    await expect.poll(cookies).toContain("prover.example");
    const cookie = await cookies();
    const policyOf = async (path: string) =>
      (await request.get(path, { headers: { cookie } })).headers()["content-security-policy"] ?? "";
    expect(await policyOf("/sign-in")).toContain(" https://prover.example");
    expect(await policyOf("/")).not.toContain("prover.example");

    await address.fill(origin);
    await page.route(`${origin}/**`, (route) => route.abort());
    await go.click();
    await answerAsProvider(page, `own@own-${uniqueWord()}.example`);
    await expect(page.getByText(t("prover.unreachable"))).toBeVisible();
    await expect(payButton(page)).toBeHidden();
    await page.unroute(`${origin}/**`);
    await page.getByRole("button", { name: t("common.retry") }).click();
    await expect(payButton(page)).toBeVisible();
    await expect(page.getByText(PRICE).first()).toBeVisible();
  });
});
