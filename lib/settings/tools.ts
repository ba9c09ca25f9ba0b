import type { Hex } from "viem";
import { z } from "zod";
import { choice, count, type Form, flag, optional, required, text, url, withDefault } from "./declare";
import { address, privateKey, privateKeySchema } from "./keys";
import { readSettings } from "./read";

/** As privateKey, also without its prefix, which some wallets leave out of what they export. */
const exportedKey: Form<Hex> = {
  schema: z
    .string()
    .transform((value) => (value.startsWith("0x") ? value : `0x${value}`))
    .refine((value) => privateKeySchema.safeParse(value).success, {
      error: "must be a private key: 64 hex digits",
    })
    .pipe(privateKeySchema),
  rule: "a private key: 64 hex digits",
};

/** Variables of `parley` (packages/parley-cli). */
export const cliVariables = {
  PARLEY_URL: optional(url, { about: "Address of the installation", by: "parley" }),
  PARLEY_TOKEN: optional(text, {
    about: "Token for automation; for --join of parley prove, a session token",
    by: "parley",
    secret: true,
  }),
};

/** Variables of `parley prove`. */
export const proveVariables = {
  PAYMENT_PRIVATE_KEY: optional(exportedKey, {
    about: "Wallet that pays for a proof",
    by: "parley prove",
    unset: "--payment-wallet names a managed wallet",
    secret: true,
  }),
  PAYMENT_ADDRESS: optional(address, {
    about: "The managed wallet's account that pays",
    by: "parley prove",
  }),
  PAYMENT_SIGNER_TOKEN: optional(text, {
    about: "Bearer token for the managed wallet",
    by: "parley prove",
    secret: true,
  }),
  ATTESTATION_KEY: optional(exportedKey, {
    about: "The attested wallet; it signs the statement and never pays",
    by: "parley prove",
    secret: true,
  }),
  PARLEY_TOKEN: cliVariables.PARLEY_TOKEN,
};

/** Variables of operators' commands. */
export const operatorVariables = {
  DEPLOYER_KEY: optional(privateKey, {
    about: "Account that deploys verifiers",
    by: "npm run contracts:deploy",
    secret: true,
  }),
  REFUND_KEY: required(privateKey, {
    about: "Account that refunds are paid from",
    by: "npm run prover -- refund",
    secret: true,
  }),
};

/** Variables of tests and pictures. */
export const testVariables = {
  PARLEY_E2E_URL: withDefault(url, "http://localhost:3000", {
    about: "The running app",
    by: "playwright test, npm run screens",
  }),
  PARLEY_CHROMIUM: withDefault(text, "/usr/bin/chromium", {
    about: "The system's Chromium; without it, Playwright's own is used",
    by: "playwright test",
  }),
  PARLEY_HEADLESS_SHELL: withDefault(text, "/usr/bin/chromium-headless-shell", {
    about: "The system's Chromium without windows, which takes half the time; without it, PARLEY_CHROMIUM",
    by: "playwright test",
  }),
  PARLEY_TRACE: withDefault(flag, "0", {
    about: "1 keeps the traces of failed tests",
    by: "playwright test",
  }),
  PARLEY_TEST_BACKEND: withDefault(choice("embedded", "postgres", "vercel"), "embedded", {
    about: "Database and cache of the API tests",
    by: "vitest",
  }),
  ASSURE: withDefault(flag, "0", { about: "1 runs tests at their full size", by: "vitest, playwright test" }),
  SCREENS_LANGUAGE: withDefault(choice("en", "ko"), "en", {
    about: "Language of the screens",
    by: "npm run screens, playwright test",
  }),
  FUZZ_SEED: withDefault(count, "20261122", { about: "Seed of the fuzz tests", by: "vitest" }),
  SCHEDULES: withDefault(count, "10000", { about: "Schedules of jobs to try", by: "vitest" }),
  BOOKS_SCHEDULES: withDefault(count, "100", { about: "Schedules of payments to try", by: "vitest" }),
};

/** Returns the settings of tests. */
export function testSettings() {
  return readSettings(testVariables, process.env);
}
