import { z } from "zod";
import {
  choice,
  type Form,
  list,
  optional,
  pattern,
  portOrAny,
  secretOf,
  text,
  whole,
  withDefault,
} from "./declare";
import { address, privateKey, signerUrl } from "./keys";
import { parseStorageUrl, STORAGE_FORM } from "./storage-url";

/** Minimum length of a secret in bytes: the size of the HMAC-SHA256 output. */
const MIN_SECRET_BYTES = 32;

/** URLs that lib/sql opens. */
export const databaseUrl = pattern(
  /^(pglite:.|postgres(ql)?:\/\/|vercel\+postgres(ql)?:\/\/)/,
  "postgres://…, vercel+postgres://… or pglite:<folder>",
);

const storageUrl: Form<string> = {
  schema: z.string().superRefine((value, context) => {
    try {
      parseStorageUrl(value);
    } catch (error) {
      context.addIssue({ code: "custom", message: error instanceof Error ? error.message : "is wrong" });
    }
  }),
  rule: STORAGE_FORM,
};

/** Variables of the community app. */
export const appVariables = {
  DATABASE_URL: optional(databaseUrl, {
    about: "The app's database; required in production",
    unset: "pglite:<PARLEY_HOME>/app-db",
    example: "postgres://parley:password@localhost:5432/parley",
    secret: true,
  }),
  CACHE_URL: withDefault(
    pattern(
      /^(embedded$|rediss?:\/\/|upstash\+https?:\/\/)/,
      "embedded, redis://…, rediss://… or upstash+https://:<token>@<host>",
    ),
    "embedded",
    { about: "Cache and counters; embedded is a table of the database", secret: true },
  ),
  STORAGE_URL: withDefault(storageUrl, "disk", {
    about: "Where uploads are kept; disk is a folder in PARLEY_HOME",
    secret: true,
  }),
  SESSION_SECRET: optional(secretOf(MIN_SECRET_BYTES), {
    about: "Signs sessions; required in production (openssl rand -hex 32), different from USER_ID_SECRET",
    unset: "secrets.json in PARLEY_HOME",
    secret: true,
  }),
  SESSION_SECRET_PREVIOUS: optional(secretOf(MIN_SECRET_BYTES), {
    about:
      "Another session secret that is accepted and signs nothing, while SESSION_SECRET changes (docs/keys.md)",
    unset: "only SESSION_SECRET is accepted",
    secret: true,
  }),
  USER_ID_SECRET: optional(secretOf(MIN_SECRET_BYTES), {
    about: "Key of the hashes that identify members; required in production, never changed",
    unset: "secrets.json in PARLEY_HOME",
    secret: true,
  }),
  RECORD_KEY: optional(privateKey, {
    about: "Funded account that pays for on-chain records",
    unset: "posts cannot be recorded",
    secret: true,
  }),
  RECORD_SIGNER_URL: optional(signerUrl, {
    about: "Remote signer that has that account's key, instead of RECORD_KEY (docs/keys.md)",
    unset: "RECORD_KEY signs",
  }),
  RECORD_SIGNER_ADDRESS: optional(address, { about: "The account that the remote signer signs for" }),
  RECORD_SIGNER_TOKEN: optional(text, {
    about: "Bearer token for the remote signer",
    unset: "requests carry none",
    secret: true,
  }),
  VAPID_PUBLIC_KEY: optional(
    { ...text, rule: "the public half of VAPID_PRIVATE_KEY, in base64url" },
    {
      about: "Web Push: all three VAPID variables or none; `npx web-push generate-vapid-keys` makes a pair",
      unset: "no push messages",
    },
  ),
  VAPID_PRIVATE_KEY: optional(
    { ...text, rule: "32 bytes in base64url" },
    { about: "Web Push: signs messages to push services", unset: "no push messages", secret: true },
  ),
  VAPID_SUBJECT: optional(
    { ...text, rule: "a mailto: or https: address of the operator" },
    {
      about: "Web Push: where a push service reaches the operator",
      unset: "no push messages",
      example: "mailto:admin@example.com",
    },
  ),
  ADMIN_USER_IDS: withDefault(
    { ...list, schema: z.string().transform((value) => value.split(/[\s,]+/).filter(Boolean)) },
    "",
    { about: "User ids of operators whose role nobody can take (docs/moderation.md)" },
  ),
  APPEAL_ADDRESS: optional(text, {
    about: "Whom a suspended user can write to, shown with the refusal",
    unset: "the refusal names nobody",
    example: "appeals@example.com",
  }),
  OPERATOR_NAME: optional(text, {
    about: "Who runs this installation: a person or an organization, named on /about, /privacy and /terms",
    unset: "these pages say that the operator has not given a name",
    example: "Example Ltd, 1 Example Street, London",
  }),
  CONTACT_ADDRESS: optional(text, {
    about: "Where people reach the operator, shown on these pages: a mail address, an https: URL or a text",
    unset: "these pages name no contact",
    example: "hello@example.com",
  }),
  TERMS_PATH: optional(text, {
    about:
      "HTML file with the operator's own terms for /terms, in English; terms.ko.html beside terms.html is the Korean one (docs/deploy.md)",
    unset: "/terms shows the template that comes with Parley",
    example: "/etc/parley/terms.html",
  }),
  SPAM_LIMITS: withDefault(choice("on", "off"), "on", {
    about:
      "Lower limits for new accounts, and the refusal of a text that its author repeats within an hour; off where you know everyone",
  }),
  CONSUMER_ACCOUNTS: withDefault(choice("allow", "limit", "refuse"), "allow", {
    about:
      "Accounts made with an address of a consumer mail provider: as any other (allow), new for seven days and ten accepted posts (limit), or none (refuse; existing accounts remain)",
  }),
  ANONYMOUS_MINIMUM: withDefault(whole(2, 10_000), "5", {
    about:
      "Members that the crowd of a topic needs before anyone can write in it anonymously (docs/anonymous.md)",
  }),
  ANONYMOUS_ROUND_SECONDS: withDefault(whole(1, 86_400), "600", {
    about:
      "Seconds between the moments at which crowds change: the fewer, the more a change says about who enrolled; few are for trying it out",
  }),
  BROWSER_PROVING: withDefault(choice("any", "own", "off"), "any", {
    about:
      "Proving in the browser: with own points, else the ceremony's (any); with own points only (own); off",
  }),
  CRON_SECRET: optional(secretOf(16), {
    about:
      "For platforms without timers: who sends it to /cron/housekeeping as a bearer token has a round done",
    unset: "that address does not exist, and the process has timers wherever it runs",
    secret: true,
  }),
  STREAM_SECONDS: optional(whole(5, 86_400, "a whole number of seconds"), {
    about: "Time within which an event stream ends and its client resumes, below the platform's own limit",
    unset: "no limit",
  }),
  METRICS_PORT: optional(portOrAny, { about: "Port of /metrics", unset: "no metrics" }),
  METRICS_HOST: withDefault(text, "127.0.0.1", { about: "Address of /metrics" }),
  TRUST_PROXY: withDefault(whole(0, 9), "0", { about: "Number of trusted proxies in front of the app" }),
};
