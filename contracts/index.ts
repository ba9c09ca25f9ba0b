/**
 * Parley's own contracts as typed ABI and bytecode, for viem. Built by `npm run contracts:build` from
 * contracts/src; safe to import in a browser.
 */
export { DevelopmentDollar } from "./artifacts/DevelopmentDollar";
export { RecordBoard } from "./artifacts/RecordBoard";
export { VerifierFront } from "./artifacts/VerifierFront";
