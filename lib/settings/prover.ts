import { databaseUrl } from "./app";
import {
  count,
  list,
  milliseconds,
  optional,
  pattern,
  portOrAny,
  share,
  text,
  whole,
  withDefault,
} from "./declare";
import { address, privateKey, signerUrl } from "./keys";

/** Variables with defaults for tests (`defaultSurface`): proving, limits, metrics and encrypted inputs. */
export const surfaceVariables = {
  PROVER_BB_PROCESSES: optional(whole(1, 256), {
    about: "Proofs made at once; they divide the cores among them",
    unset: "one process for every two cores",
  }),
  PROVER_BB_MEMORY_MB: optional(whole(256, Number.MAX_SAFE_INTEGER), {
    about: "Megabytes for each bb",
    unset: "1024, plus 128 for each thread",
  }),
  PROVER_BB_TIMEOUT_MS: withDefault(milliseconds, "120000", {
    about: "Time after which the bb of a proof is killed",
  }),
  PROVER_TRUSTED_PROXIES: withDefault(whole(0, 10), "0", {
    about: "Number of trusted proxies in front of the prover; each appends to X-Forwarded-For",
  }),
  PROVER_CHALLENGES_PER_MINUTE: optional(count, {
    about: "Price requests, per address",
    unset: "60; development 6000",
  }),
  PROVER_ATTEMPTS_PER_10_MINUTES: optional(count, {
    about: "Paid requests whose witness was solved without a settlement, per address and per payer",
    unset: "30; development 3000",
  }),
  PROVER_REQUESTS_PER_MINUTE: optional(count, {
    about: "Requests of any kind, per address",
    unset: "600; development 60000",
  }),
  PROVER_METRICS_PORT: optional(portOrAny, { about: "Port of /metrics", unset: "no metrics" }),
  PROVER_METRICS_HOST: withDefault(text, "127.0.0.1", { about: "Address of /metrics" }),
  PROVER_ENCRYPTION_KEY: optional(
    { ...text, rule: "an X25519 private key: 32 bytes in base64url, or its JWK" },
    {
      about: "Key for encrypted inputs, which are then required; `npm run prover:key` prints one",
      unset: "inputs are not encrypted",
      secret: true,
    },
  ),
};

/** Variables of the prover. */
export const proverVariables = {
  PROVER_PORT: withDefault(portOrAny, "3001", { about: "Port of the prover" }),
  PROVER_DATABASE_URL: optional(databaseUrl, {
    about: "The prover's own database",
    unset: "pglite:<PARLEY_HOME>/prover-db",
    example: "postgres://prover:password@localhost:5432/prover",
    secret: true,
  }),
  PROVER_SECRET: optional(pattern(/^.{32,}$/s, "at least 32 characters"), {
    about:
      "Key of input hashes, job tokens, rate-limit counters, and of the signatures under offers and receipts",
    unset: "prover-secret in PARLEY_HOME, created once",
    secret: true,
  }),
  PROVER_SETTLEMENT_KEY: optional(privateKey, {
    about: "Account that submits settlements; holds gas and no tokens",
    unset: "no offer may have payee settlement",
    secret: true,
  }),
  PROVER_SETTLEMENT_SIGNER_URL: optional(signerUrl, {
    about: "Remote signer that has that account's key, instead of PROVER_SETTLEMENT_KEY (docs/keys.md)",
    unset: "PROVER_SETTLEMENT_KEY signs",
  }),
  PROVER_SETTLEMENT_SIGNER_ADDRESS: optional(address, {
    about: "The account that the remote signer signs for",
  }),
  PROVER_SETTLEMENT_SIGNER_TOKEN: optional(text, {
    about: "Bearer token for the remote signer",
    unset: "requests carry none",
    secret: true,
  }),
  CDP_API_KEY_ID: optional(text, {
    about: "API key of Coinbase's facilitator: both variables or none",
    unset: "requests to the facilitator carry no token",
  }),
  CDP_API_KEY_SECRET: optional(
    { ...text, rule: "an Ed25519 key in base64, or an EC key in PEM" },
    {
      about: "Signs the token of each request to Coinbase's facilitator",
      unset: "requests to the facilitator carry no token",
      secret: true,
    },
  ),
  PROVER_GAS_SHARE: withDefault(share, "0.5", {
    about: "Most of the price that the gas of a settlement may cost; needs the chain's nativeTokenUsd",
  }),
  PROVER_DELIVERY_SECONDS: withDefault(whole(60, 86_400), "600", {
    about: "Time from settlement within which a proof is promised; then its payer has a credit",
  }),
  PROVER_QUEUE_LIMIT: withDefault(whole(1, 1000), "20", {
    about: "Paid proofs of one process, running and waiting, above which new work gets 503",
  }),
  PROVER_SETTLEMENT_LIMIT: withDefault(whole(1, 10_000), "200", {
    about: "Payments that one process settles at once",
  }),
  PROVER_SYNC_LIMIT_MS: withDefault(milliseconds, "50000", {
    about: "Time after which a request is answered with 202 and its job's address",
  }),
  PROVER_FACILITATOR_TIMEOUT_MS: withDefault(milliseconds, "45000", {
    about: "Time that the facilitator has to answer",
  }),
  PROVER_RECONCILE_MS: withDefault(milliseconds, "20000", {
    about: "Time that a request waits for an unclear settlement before the client is asked to come back",
  }),
  PROVER_STOP_GRACE_MS: withDefault(milliseconds, "10000", {
    about: "Time that running work has after SIGTERM",
  }),
  PROVER_CORS_ORIGINS: withDefault(list, "*", {
    about: "Browser origins that may call the prover; * for all",
  }),
  PROVER_SCOPES: withDefault(list, "", {
    about: "Additional scope strings, for country proofs of other applications",
  }),
  ...surfaceVariables,
};
