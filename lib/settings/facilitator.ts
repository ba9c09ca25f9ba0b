import { milliseconds, optional, portOrAny, share, text, withDefault } from "./declare";
import { address, privateKey, signerUrl } from "./keys";
import { type Environment, isSet } from "./read";

/** Variables of the self-hosted facilitator. */
export const facilitatorVariables = {
  FACILITATOR_PORT: withDefault(portOrAny, "3002", { about: "Port of the facilitator" }),
  FACILITATOR_HOST: withDefault(text, "127.0.0.1", { about: "Address that the facilitator listens on" }),
  FACILITATOR_KEY: optional(privateKey, {
    about: "Account that submits settlements; holds gas and no tokens",
    unset: "FACILITATOR_SIGNER_URL is required; without both npm start runs no facilitator in production",
    secret: true,
  }),
  FACILITATOR_SIGNER_URL: optional(signerUrl, {
    about: "Remote signer that has that account's key, instead of FACILITATOR_KEY (docs/keys.md)",
    unset: "FACILITATOR_KEY signs",
  }),
  FACILITATOR_SIGNER_ADDRESS: optional(address, { about: "The account that the remote signer signs for" }),
  FACILITATOR_SIGNER_TOKEN: optional(text, {
    about: "Bearer token for the remote signer",
    unset: "requests carry none",
    secret: true,
  }),
  FACILITATOR_CONFIRMATION_MS: withDefault(milliseconds, "45000", {
    about: "Time that /settle waits for a receipt before it answers pending",
  }),
  FACILITATOR_GAS_SHARE: withDefault(share, "0.5", {
    about: "Most of the price that the gas of a settlement may cost; needs the chain's nativeTokenUsd",
  }),
};

/** Returns whether the environment is that of an installation with a facilitator of its own. */
export function hasFacilitator(environment: Environment): boolean {
  return isSet(environment, "FACILITATOR_KEY") || isSet(environment, "FACILITATOR_SIGNER_URL");
}
