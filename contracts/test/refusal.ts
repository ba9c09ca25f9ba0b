import { type Abi, BaseError, decodeErrorResult, RpcRequestError } from "viem";
import { hexSchema } from "@/lib/proofs/hex";

/**
 * The contract's own error behind a failed call; viem decodes it for neither plain calls nor deployments.
 * @returns undefined when the call failed for another reason, or gave none
 */
function refusalName(error: unknown, abi: Abi): string | undefined {
  if (!(error instanceof BaseError)) return undefined;
  const cause = error.walk((inner) => inner instanceof RpcRequestError);
  const data = hexSchema.safeParse(cause instanceof RpcRequestError ? cause.data : undefined);
  if (!data.success || data.data === "0x") return undefined;
  return decodeErrorResult({ abi, data: data.data }).errorName;
}

/** Rejects with the contract's own error as message, where there is one. */
export async function named<T>(call: Promise<T>, abi: Abi): Promise<T> {
  try {
    return await call;
  } catch (error) {
    throw new Error(refusalName(error, abi) ?? (error instanceof Error ? error.message : String(error)));
  }
}
