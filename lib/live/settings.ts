/** Timing and limits of live updates, in milliseconds where the name says so; tests shorten them. */
export const liveSettings = {
  /** Between two `ping` events of a stream; at most half of `streamMs`. */
  pingMs: 30_000,
  /** Within which a stream ends at a ping, so that the platform does not cut it in the middle of an event. */
  streamMs: Number.POSITIVE_INFINITY,
  /** Between two checks of the rights and session of every stream. */
  rightsMs: 30_000,
  /** Between two polls of everything followed, whether or not a hint arrived. */
  lookMs: 5_000,
  /** Between two heartbeats of a process; without one for `deadMs` it counts as dead. */
  seenMs: 8_000,
  deadMs: 20_000,
  /** A user who reconnects within this time never left. */
  graceMs: 3_000,
  /** Minimum time between two reads and broadcasts of a state. */
  stateMs: 150,
  /** Minimum time between two rounds that only calm signals ask for. */
  calmMs: 250,
  /** Open streams per user and process. */
  streamsPerUser: 20,
};

export type LiveSettings = Readonly<typeof liveSettings>;
