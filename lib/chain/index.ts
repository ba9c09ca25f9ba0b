/** Writing to a chain with a wallet of our own; see sender.ts for what holds. */
export type { Call } from "./journal";
export { openRecorder, type Recorder, type RecorderOptions, recordCall } from "./recorder";
export { ChainUnavailableError, type Mined } from "./sender";
