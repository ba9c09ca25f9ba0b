/** The paying client (browser-safe). Node programs take `fileStore` from ./store.server. */
export { type BuyProofRequest, buyProof, DEFAULT_MAX_AMOUNT, forgetPayment, resumeProof } from "./buy";
export {
  awaitDeviceLogin,
  type DeviceFlowCode,
  DeviceFlowError,
  type DeviceLogin,
  startDeviceLogin,
} from "./device-flow";
export { type BuyProofCode, BuyProofError, ProverError } from "./errors";
export type { OfferRules } from "./payment";
export type { OnProgress, ProofProgress } from "./progress";
export { RemoteSignerError, type RemoteSignerOptions, remoteSigner } from "./remote-signer";
export { localStorageStore, memoryStore, type PaymentRecord, type PaymentStore } from "./stores";
export {
  type AttestationWallet,
  attestationWallet,
  type PayingWallet,
  type PaymentSigner,
  payingWallet,
  type StatementSigner,
  type TransferTypedData,
} from "./wallets";
export { authorizationUrl, randomState, readFragment, type WebFlowCode, WebFlowError } from "./web-flow";
