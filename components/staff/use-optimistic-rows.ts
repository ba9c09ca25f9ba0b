"use client";

import { useRouter } from "next/navigation";
import type { ApiResult, Client, Failure } from "@/components/call-api";
import { toast } from "@/components/ui/toast";
import { useOptimisticState } from "@/components/use-optimistic";

export interface RowChange<T> {
  readonly row: T;
  /** The row as it will be; null when it leaves the list. */
  readonly to: T | null;
  readonly work: (client: Client) => Promise<unknown>;
  /** Said when it is done. */
  readonly done?: string;
  /** Codes of refusals that mean that the row is out of date: it leaves, and comes back as it is. */
  readonly overtaken?: readonly string[];
}

/**
 * The rows of a page, with changes that show before the server has answered. What was done is fetched again with
 * everything else on the page.
 */
export function useOptimisticRows<T>(rows: readonly T[], keyOf: (row: T) => string) {
  const router = useRouter();
  const { shown, act } = useOptimisticState(rows);
  const change = async ({
    row,
    to,
    work,
    done,
    overtaken = [],
  }: RowChange<T>): Promise<ApiResult<unknown>> => {
    const key = keyOf(row);
    const become = (next: T | null) => (known: readonly T[]) =>
      known.flatMap((one) => (keyOf(one) === key ? (next ?? []) : one));
    const isOvertaken = ({ code }: Failure) => overtaken.some((one) => one === code);
    const result = await act({
      on: key,
      change: become(to),
      send: work,
      refused: (failure) => (isOvertaken(failure) ? become(null) : (known) => known),
    });
    if (result.ok && done) toast({ text: done });
    if (result.ok || isOvertaken(result)) router.refresh();
    return result;
  };
  return { shown, change };
}
