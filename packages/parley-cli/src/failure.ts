/** Exit statuses by what went wrong. */
export const exits = { failed: 1, usage: 2, "not signed in": 3, "proof missing": 4 } as const;

/** What ends a command, for its user. */
export class Failure extends Error {
  override readonly name = "Failure";
  constructor(
    readonly kind: keyof typeof exits,
    message: string,
    /** More facts, which `--json` prints. */
    readonly facts: object = {},
  ) {
    super(message);
  }
}
