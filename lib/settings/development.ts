import { z } from "zod";
import {
  choice,
  type Form,
  flag,
  list,
  optional,
  port,
  required,
  secretOf,
  text,
  url,
  withDefault,
} from "./declare";

/** Variables of development. */
export const developmentVariables = {
  DEMO: withDefault(flag, "1", { about: "0 starts with an empty community", by: "npm start" }),
  DEV_LOGIN: withDefault(flag, "0", { about: "1 adds sign-in without a proof", by: "app" }),
  RATE_LIMITS: withDefault(choice("on", "off"), "on", {
    about: "off disables rate limits, for load tests",
    by: "app",
  }),
  PARLEY_SCOPE: withDefault(text, "zk-community", {
    about:
      "Scope string of the description that npm start writes; country proofs and nullifiers depend on it",
    by: "npm start",
  }),
  IDP_PORT: withDefault(port, "3003", { about: "Port of the identity provider", by: "npm start" }),
  ATTESTER_PORT: withDefault(port, "3004", { about: "Port of the attester", by: "npm start" }),
  GATEWAY_PORT: withDefault(port, "3005", { about: "Port of the payment gateway's stub", by: "npm start" }),
  CHAIN_PORT_8453: withDefault(port, "8545", { about: "Port of the local Base", by: "npm start" }),
  CHAIN_PORT_5042002: withDefault(port, "8546", { about: "Port of the local Arc testnet", by: "npm start" }),
  CHAIN_PORT_91342: withDefault(port, "8547", { about: "Port of the local GIWA Sepolia", by: "npm start" }),
  CHAIN_PORT_1: withDefault(port, "8548", { about: "Port of the local Ethereum", by: "npm start" }),
};

/** A JSON array of private RSA JWKs. */
const signingKeys: Form<{ kty: "RSA"; kid: string }[]> = {
  schema: z
    .string()
    .transform((value, context) => {
      try {
        return JSON.parse(value);
      } catch {
        context.addIssue({ code: "custom", message: "must be JSON" });
      }
    })
    .pipe(z.array(z.looseObject({ kty: z.literal("RSA"), kid: z.string() }))),
  rule: "a JSON array of private RSA JWKs",
};

/** What `npm start` tells the programs that stand in for services of others. */
export const standInVariables = {
  idp: {
    IDP_PORT: required(port, { about: "Its port" }),
    IDP_ISSUER: required(url, { about: "Its issuer" }),
    IDP_SIGNING_KEYS: required(signingKeys, { about: "Keys of its tokens", secret: true }),
    IDP_COOKIE_KEY: required(secretOf(32), { about: "Key of its cookies", secret: true }),
    IDP_CLIENT_ORIGINS: required(list, { about: "Origins of the app" }),
    IDP_SUGGESTIONS: withDefault(list, "", { about: "Addresses that its login page suggests" }),
  },
  attester: {
    ATTESTER_PORT: required(port, { about: "Its port" }),
    ATTESTER_RPC_8453: required(url, { about: "A node of chain 8453" }),
    ATTESTER_RPC_91342: required(url, { about: "A node of chain 91342" }),
  },
  gateway: {
    GATEWAY_PORT: required(port, { about: "Its port" }),
    GATEWAY_FILE: required(text, { about: "Its ledger" }),
  },
};

/** What a program of this repository tells those it starts. */
export const internalVariables = {
  PARLEY_BUNDLES: optional(text, { about: "Folder of the bundles that npm start made" }),
  PARLEY_TEST_BACKEND_SETTINGS: optional(text, { about: "Servers that an API test run started" }),
};
