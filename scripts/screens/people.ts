import type { BrowserContext, Page } from "@playwright/test";
import { ApiError, createClient } from "@/lib/client";
import { contract } from "@/lib/contract";
import { sessionCookieName } from "@/lib/session/cookie";
import type { Places, Screen } from "./list";
import { type Camera, type Session, type Size, untilQuiet } from "./pictures";
import { matching, t } from "./words";

const PROOF_TIMEOUT_MS = 120_000;

export interface Person {
  readonly email: string;
  readonly nickname: string;
}

/**
 * Signs a user in with a proof, paid from the development wallet, and takes screenshots of the stages. The same address
 * signs in to the same account again, so this may run twice against one stack.
 */
export async function picturedSignIn(camera: Camera, size: Size, person: Person): Promise<Session> {
  const context = await camera.context(size);
  const page = await context.newPage();
  page.setDefaultTimeout(PROOF_TIMEOUT_MS);
  await page.goto("/sign-in");
  await page
    .getByRole("button", { name: matching((provider) => t("signIn.continueWith", { provider })) })
    .click();
  await page.getByLabel("Email address").waitFor();
  await camera.take(page, "run-provider");
  await page.getByLabel("Email address").fill(person.email);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();

  const pay = page.getByRole("button", { name: matching((amount) => t("run.pay", { amount })) });
  await pay.waitFor();
  await camera.take(page, "run-price");
  await pay.click();
  await page.getByRole("progressbar", { name: t("run.stages.proving") }).waitFor();
  // A half-full bar shows more than an empty one.
  await page.waitForTimeout(1500);
  await camera.take(page, "run-proving");
  await page.getByRole("heading", { name: t("run.stages.sealed") }).waitFor();
  // The frame around the panel turns from guest to member.
  await untilQuiet(page, () => page.waitForLoadState());
  await camera.take(page, "run-sealed");
  await continueAs(page, person.nickname);
  const session = await context.storageState();
  await context.close();
  return session;
}

async function continueAs(page: Page, nickname: string): Promise<void> {
  const field = page.getByLabel(t("profile.chooseTitle"));
  if (await field.isVisible()) {
    await field.fill(nickname);
    await page.getByRole("button", { name: t("profile.keep") }).click();
  } else {
    await page.getByRole("button", { name: t("common.goOn") }).click();
  }
  await page.waitForURL((url) => url.pathname === "/" || url.pathname === "/welcome");
}

/** Returns a client that acts as the user of a session. */
export function clientOf(baseUrl: string, session: Session) {
  const token = session.cookies.find((cookie) => cookie.name === sessionCookieName)?.value;
  return createClient({ baseUrl, token: () => token });
}
export type Client = ReturnType<typeof clientOf>;

/** Signs in a user without a proof, which needs DEV_LOGIN. */
export async function devUser(baseUrl: string, nickname: string): Promise<{ api: Client; userId: string }> {
  const { token, userId } = await createClient({ baseUrl }).call(contract.auth.devLogin, { nickname });
  return { userId, api: createClient({ baseUrl, token: () => token }) };
}

/** Joins the topic unless the client is already a member. */
export async function joinOnce(client: Client, topicId: string): Promise<void> {
  try {
    await client.call(contract.topics.join, { topicId });
  } catch (error) {
    if (!(error instanceof ApiError && error.code === "already_member")) throw error;
  }
}

/** Opens a screen in its own page, and closes it after `use`. */
export async function withPage(
  context: BrowserContext,
  { path, before }: Screen,
  places: Places,
  use: (page: Page) => Promise<void>,
): Promise<void> {
  const page = await context.newPage();
  try {
    await before?.(page);
    await untilQuiet(page, () => page.goto(path(places)));
    await page.evaluate(() => document.fonts.ready.then(() => true));
    await use(page);
  } finally {
    await page.close();
  }
}
