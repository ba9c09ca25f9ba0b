/** How the live side behaves in time; tests make it quicker. */
export interface LiveSettings {
  /** A `ping` to every stream. */
  readonly pingMs: number;
  /** Rights and sessions of every stream are looked at again. */
  readonly rightsMs: number;
  /** Everything followed is looked at, hint or not. */
  readonly lookMs: number;
  /** A process says that it lives; one silent for `deadMs` is dead. */
  readonly seenMs: number;
  readonly deadMs: number;
  /** Somebody who comes back within as long never left. */
  readonly graceMs: number;
  /** A state is read, and sent to everybody, this far apart at least. */
  readonly stateMs: number;
  /** Open streams of one user in one process. */
  readonly streamsPerUser: number;
}

export const liveSettings: LiveSettings = {
  pingMs: 30_000,
  rightsMs: 30_000,
  lookMs: 5_000,
  seenMs: 8_000,
  deadMs: 20_000,
  graceMs: 3_000,
  stateMs: 150,
  streamsPerUser: 20,
};
