import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, type Page } from "@playwright/test";
import { contract } from "@/lib/contract";
import { t } from "@/lib/i18n/english";
import { sessionCookieName } from "@/lib/session/cookie";
import { buildGate } from "@/scripts/dist/gate";
import { PAST } from "@/scripts/stack/past-content";
import { freePorts } from "@/scripts/stack/ports";
import { ROOT } from "@/scripts/stack/settings";
import { appOrigin, deployment, uniqueWord } from "./support/installation";
import { expectAccessible, expectContrast, expectNoSideways } from "./support/page-checks";
import { pageOf, person } from "./support/people";
import { test } from "./support/test";

test.use({ serviceWorkers: "allow" });

/** Signing in with Parley: the sample of the documentation as an app, with the package as it is published. */

const { appUrl } = deployment.services;
let folder: string;
let program: ChildProcess | undefined;

test.beforeAll(async () => {
  await mkdir(path.join(ROOT, "dist"), { recursive: true });
  folder = await mkdtemp(path.join(ROOT, "dist", "sample-"));
  const guide = await readFile(path.join(ROOT, "docs", "sign-in-with-parley.md"), "utf8");
  const sample = /<!-- sample -->\n```js\n([\s\S]*?)```/.exec(guide)?.[1] ?? "";
  expect(sample.trim().split("\n").length).toBeLessThanOrEqual(10);
  await writeFile(path.join(folder, "app.mjs"), sample);
  await buildGate(path.join(folder, "node_modules", "parley-gate"));
  await symlink(path.join(ROOT, "node_modules", "jose"), path.join(folder, "node_modules", "jose"));
});
test.afterAll(async () => {
  program?.kill();
  await rm(folder, { recursive: true, force: true });
});

/** Starts the sample for an app, and waits until it answers. */
async function startSample(home: string, clientId: string, domain: string): Promise<void> {
  program?.kill();
  const env = {
    NODE_ENV: "production" as const,
    ISSUER: appUrl,
    CLIENT_ID: clientId,
    DOMAIN: domain,
    PORT: new URL(home).port,
  };
  program = spawn(process.execPath, ["app.mjs"], { cwd: folder, env, stdio: "inherit" });
  await expect
    .poll(() =>
      fetch(home).then(
        ({ status }) => status,
        () => 0,
      ),
    )
    .toBe(200);
}

const signInButton = (page: Page) => page.getByRole("button", { name: "Sign in with Parley" });

test("a page behind a gate opens to whoever has proven what it asks and allows it, and to nobody else", async ({
  browser,
}) => {
  const word = uniqueWord();
  const [port = 0] = await freePorts(1);
  const home = `http://localhost:${port}/`;
  const { domain, nicknames } = PAST.sealed;
  const developer = await pageOf(browser, await person(`dev_${word}`), "/settings/apps");
  await expect(developer.getByText(t("apps.noneTitle"))).toBeVisible();
  await developer.getByRole("button", { name: t("apps.make"), exact: true }).click();
  const dialog = developer.getByRole("dialog", { name: t("apps.make") });
  const confirm = dialog.getByRole("button", { name: t("apps.make"), exact: true });
  await confirm.click();
  await expect(dialog.getByRole("alert")).toContainText(t("apps.nameMissing"));
  await dialog.getByLabel(t("apps.name"), { exact: true }).fill(`Acme ${word}`);
  await dialog.getByLabel(t("apps.address"), { exact: true }).fill("http://example.com/");
  await dialog.getByLabel(t("apps.kind"), { exact: true }).selectOption({ label: t("apps.browser") });
  await confirm.click();
  await expect(dialog.getByRole("alert")).toContainText("https");
  await expectAccessible(developer);
  await expectContrast(developer);
  await dialog.getByLabel(t("apps.address"), { exact: true }).fill(home);
  await confirm.click();
  const row = developer.getByRole("listitem").filter({ hasText: `Acme ${word}` });
  const clientId = await row.getByLabel(`${t("apps.clientId")}: Acme ${word}`).inputValue();
  await expectAccessible(developer);
  await expectNoSideways(developer, 320);

  await startSample(home, clientId, domain);
  const member = await person(nicknames[0] ?? "");
  const page = await pageOf(browser, member, home);
  await signInButton(page).click();
  await page.waitForURL(/\/authorize\//);
  const request = page.url();
  await expect(
    page.getByRole("heading", { name: t("authorize.title", { name: `Acme ${word}` }) }),
  ).toBeVisible();
  const box = page.getByRole("checkbox", { name: t("authorize.domain", { domain }) });
  await expect(box).toBeChecked();
  await expect(box).toBeDisabled();
  await expectAccessible(page);
  await expectContrast(page);
  const size = page.viewportSize();
  await expectNoSideways(page, 320);
  if (size) await page.setViewportSize(size);

  // Whoever is sent the address signs nobody in.
  const stranger = await pageOf(browser, await person(`other_${word}`), request);
  await expect(stranger.getByText(t("authorize.closedTitle"))).toBeVisible();

  // A browser starts the worker for the answer, and requests it meanwhile: it must not do so twice.
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("ServiceWorker.enable");
  await devtools.send("ServiceWorker.stopAllWorkers");
  const { host } = new URL(home);
  await page.getByRole("button", { name: t("authorize.allow", { host }) }).click();
  const hello = page.getByText(/^Hello [\w-]{43}$/);
  await expect(hello).toBeVisible();
  expect(page.url()).toBe(home);
  const said = await hello.textContent();
  expect(said).not.toContain(member.userId);
  await page.reload();
  await expect(page.getByText(said ?? "")).toBeVisible();
  expect((await fetch(`${home}inside`)).status).toBe(401);

  // Nobody who has not proven it can go on; they can decline.
  await stranger.goto(home);
  await signInButton(stranger).click();
  await expect(stranger.getByText(t("authorize.domainOther", { list: domain }))).toBeVisible();
  await expect(stranger.getByRole("button", { name: t("authorize.allow", { host }) })).toBeDisabled();
  await expectAccessible(stranger);
  await stranger.getByRole("button", { name: t("authorize.decline") }).click();
  await expect(stranger.getByRole("alert")).toHaveText("The person declined.");
  await expect(signInButton(stranger)).toBeVisible();
});

test("a guest signs in to Parley first, and comes back to what the app asks @once", async ({ page }) => {
  const word = uniqueWord();
  const developer = await person(`dev_${word}`);
  const { app } = await developer.api.call(contract.apps.create, {
    name: `Acme ${word}`,
    kind: "browser",
    redirectUris: [`${appUrl}/how-it-works`],
  });
  const query = new URLSearchParams({
    ...{ response_type: "code", scope: "openid human", client_id: app.clientId },
    ...{ redirect_uri: `${appUrl}/how-it-works`, state: word },
    ...{ code_challenge: "a".repeat(43), code_challenge_method: "S256" },
  });
  await page.goto(`/oidc/auth?${query}`);
  await page.waitForURL(/\/authorize\//);
  const { pathname } = new URL(page.url());
  await expect(page.getByText(t("authorize.guest", { name: `Acme ${word}` }))).toBeVisible();
  await expect(page.getByRole("link", { name: t("signIn.title"), exact: true }).last()).toHaveAttribute(
    "href",
    `/sign-in?${new URLSearchParams({ next: pathname })}`,
  );
  await expectAccessible(page);
  // Signed in, in the same browser.
  const { token } = await person(`guest_${word}`);
  await page.context().addCookies([{ name: sessionCookieName, value: token, url: appOrigin }]);
  await page.reload();
  await expect(page.getByRole("checkbox", { name: t("authorize.humanNone") })).toBeDisabled();
  await page.getByRole("button", { name: t("authorize.allow", { host: new URL(appUrl).host }) }).click();
  await page.waitForURL((url) => url.searchParams.has("code") && url.searchParams.get("state") === word);
});
