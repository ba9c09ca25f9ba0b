/** The input builders of the wallet circuits and what they give. */
export { buildCountryInputs, type CountryCircuitInputs } from "./country";
export {
  buildEligibilityInputs,
  type EligibilityCircuit,
  type EligibilityCircuitInputs,
} from "./eligibility";
export type { Believed, Bounded, BuiltInputs, WalletCircuitInputs } from "./wallet";
