/**
 * Parley's contracts as typed ABI and bytecode, for viem. `npm run contracts:build` generates them from contracts/src.
 * Safe in a browser.
 */
export { DevelopmentAttester } from "./artifacts/DevelopmentAttester";
export { DevelopmentDollar } from "./artifacts/DevelopmentDollar";
export { DevelopmentRegistry } from "./artifacts/DevelopmentRegistry";
export { DevelopmentWallet } from "./artifacts/DevelopmentWallet";
export { EligibleAction } from "./artifacts/EligibleAction";
export { RecordBoard } from "./artifacts/RecordBoard";
export { VerifierFront } from "./artifacts/VerifierFront";
