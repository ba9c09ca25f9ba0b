import { type ErrorBody, errorBodySchema } from "@/lib/contract/errors";

/**
 * The error of the API at its client: a refusal, or a failure to reach the API (status 0). On the server the same refusal is
 * thrown as `Refusal` (lib/errors.ts).
 */
export class ApiError extends Error {
  override readonly name = "ApiError";
  constructor(
    readonly status: number,
    readonly body: ErrorBody | null,
    message: string,
  ) {
    super(message);
  }
  /** Stable word of the error, or "network" when nothing was answered. */
  get code(): string {
    return this.body?.code ?? (this.status === 0 ? "network" : "unknown");
  }
}

/** The error an answer is, whatever its body. */
export function refusalOf(status: number, body: unknown): ApiError {
  const parsed = errorBodySchema.safeParse(body);
  const known = parsed.success ? parsed.data : null;
  return new ApiError(status, known, known?.error ?? `The server answered ${status}.`);
}
