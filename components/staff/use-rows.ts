"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { useWords } from "#words";
import { type ApiResult, type Client, callApi } from "@/components/call-api";
import { toast } from "@/components/ui/toast";
import { begun, gone, laidOver, type Overlay, rebased, refused, taken } from "./overlay";

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
 * The rows of a page, with changes that show before the server has answered. A refusal takes its change back and says its
 * sentence; what was done is fetched again with everything else on the page.
 */
export function useRows<T>(rows: readonly T[], keyOf: (row: T) => string) {
  const words = useWords();
  const router = useRouter();
  const [base, setBase] = useState(rows);
  const [overlay, setOverlay] = useState<Overlay<T>>(new Map());
  if (base !== rows) {
    setBase(rows);
    setOverlay(rebased);
  }
  const change = async ({
    row,
    to,
    work,
    done,
    overtaken = [],
  }: RowChange<T>): Promise<ApiResult<unknown>> => {
    const key = keyOf(row);
    setOverlay((known) => begun(known, key, to));
    const answer = await callApi(words, work);
    if (answer.ok) {
      setOverlay((known) => taken(known, key));
      if (done) toast({ text: done });
      router.refresh();
      return answer;
    }
    const isOvertaken = overtaken.some((code) => code === answer.code);
    setOverlay((known) => (isOvertaken ? gone(known, key) : refused(known, key)));
    toast({ text: answer.sentence, tone: "wrong" });
    if (isOvertaken) router.refresh();
    return answer;
  };
  return { shown: laidOver(rows, overlay, keyOf), change };
}
