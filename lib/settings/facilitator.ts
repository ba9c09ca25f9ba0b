import { milliseconds, portOrAny, required, share, text, withDefault } from "./declare";
import { privateKey } from "./keys";

/** Variables of the self-hosted facilitator. */
export const facilitatorVariables = {
  FACILITATOR_PORT: withDefault(portOrAny, "3002", { about: "Port of the facilitator" }),
  FACILITATOR_HOST: withDefault(text, "127.0.0.1", { about: "Address that the facilitator listens on" }),
  FACILITATOR_KEY: required(privateKey, {
    about: "Account that submits settlements; holds gas and no tokens",
    unset: "required; without it npm start runs no facilitator in production",
    secret: true,
  }),
  FACILITATOR_CONFIRMATION_MS: withDefault(milliseconds, "45000", {
    about: "Time that /settle waits for a receipt before it answers pending",
  }),
  FACILITATOR_GAS_SHARE: withDefault(share, "0.5", {
    about: "Most of the price that the gas of a settlement may cost; needs the chain's nativeTokenUsd",
  }),
};
