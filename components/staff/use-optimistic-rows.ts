"use client";

import { useRouter } from "next/navigation";
import { useEffect, useRef } from "react";
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
  const list = useKeptFocus<HTMLUListElement>(shown.length);
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
  return { shown, change, list };
}

/** Focuses a list when its focused row disappears; it needs tabIndex -1. @param count number of rows */
export function useKeptFocus<T extends HTMLElement>(count: number) {
  const list = useRef<T>(null);
  const before = useRef(count);
  useEffect(() => {
    const lost = document.activeElement === null || document.activeElement === document.body;
    if (count < before.current && lost) list.current?.focus();
    before.current = count;
  }, [count]);
  return list;
}
