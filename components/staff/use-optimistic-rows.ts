"use client";

import { useRouter } from "next/navigation";
import type { ApiResult, Client, Failure } from "@/components/call-api";
import { toast } from "@/components/ui/toast";
import { useOptimisticState } from "@/components/use-optimistic";

interface RowChange<T> {
  readonly row: T;
  /** The changed row; null when it leaves the list. */
  readonly to: T | null;
  readonly work: (client: Client) => Promise<unknown>;
  /** Toast after success. */
  readonly done?: string;
  /** Error codes that mean the row is outdated: it is removed, and a refresh loads its current state. */
  readonly outdated?: readonly string[];
}

/** Keeps the rows of a page with changes that show before the server has answered, and then refreshes the page. */
export function useOptimisticRows<T>(rows: readonly T[], keyOf: (row: T) => string) {
  const router = useRouter();
  const { shown, act } = useOptimisticState(rows);
  const change = async ({
    row,
    to,
    work,
    done,
    outdated = [],
  }: RowChange<T>): Promise<ApiResult<unknown>> => {
    const key = keyOf(row);
    const replaceWith = (next: T | null) => (known: readonly T[]) =>
      known.flatMap((one) => (keyOf(one) === key ? (next ?? []) : one));
    const isOutdated = ({ code }: Failure) => outdated.some((one) => one === code);
    const result = await act({
      on: key,
      change: replaceWith(to),
      send: work,
      refused: (failure) => (isOutdated(failure) ? replaceWith(null) : (known) => known),
    });
    if (result.ok && done) toast({ text: done });
    if (result.ok || isOutdated(result)) router.refresh();
    return result;
  };
  return { shown, change };
}
