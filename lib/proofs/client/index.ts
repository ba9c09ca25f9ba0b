/** The paying client (browser-safe). Node programs take `fileStore` from ./store.server. */
export { type BuyProofRequest, buyProof, forgetPayment, resumeProof } from "./buy";
export type { OnProgress, ProofProgress } from "./deliver";
export {
  awaitDeviceLogin,
  DeviceFlowError,
  type DeviceLogin,
  startDeviceLogin,
} from "./device-flow";
export { BuyProofError, ProverError } from "./errors";
export { RemoteSignerError, remoteSigner } from "./remote-signer";
export { localStorageStore, memoryStore, type PaymentRecord, type PaymentStore } from "./stores";
export {
  type PayingWallet,
  type PaymentSigner,
  payingWallet,
} from "./wallets";
