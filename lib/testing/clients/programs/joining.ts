/** What a generated client joins with. */
export interface Joining {
  readonly baseUrl: string;
  readonly fetch: typeof fetch;
  readonly token: string;
  readonly topicId: string;
  /** Makes the proof that the refusal asked for. */
  readonly prove: (circuit: string, domain: string | null) => Promise<void>;
}
