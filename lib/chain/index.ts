/** Sends transactions with our own wallet; sender.ts states the guarantees. */
export type { Call } from "./journal";
export { openRecorder, type Recorder, type RecorderOptions, recordCall } from "./recorder";
export { ChainUnavailableError, type Mined } from "./sender";
