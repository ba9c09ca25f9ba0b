"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { useWords } from "#words";
import { callApi } from "@/components/call-api";
import { toast } from "@/components/ui/toast";

export interface JoinTarget {
  readonly topicId: string;
  readonly title: string;
  /** Set when an invite is used instead of the plain join. */
  readonly inviteCode?: string;
}

export type JoinStep = "joining" | "pending" | "proof" | null;

export interface Joining {
  readonly step: JoinStep;
  /** A sentence. */
  readonly error: string | null;
  readonly ban: { readonly until: string | null } | null;
  /** Joins. Without a proof, a stored verification has to pass the gate. */
  readonly join: (fields?: { readonly proof?: string; readonly publicInputs?: string[] }) => Promise<void>;
}

/**
 * Joins a topic and shows it. `step` is "proof" where the server asks for one.
 * @param page path to come back to after choosing a nickname
 */
export function useJoin(target: JoinTarget, page: string, start: JoinStep = null): Joining {
  const words = useWords();
  const router = useRouter();
  const [step, setStep] = useState<JoinStep>(start);
  const [error, setError] = useState<string | null>(null);
  const [ban, setBan] = useState<Joining["ban"]>(null);

  const join: Joining["join"] = async (fields = {}) => {
    setStep("joining");
    setError(null);
    const joined = await callApi(words, async ({ api, contract }) => {
      const { topicId, inviteCode } = target;
      if (!inviteCode) return (await api.callWithStatus(contract.topics.join, { topicId, ...fields })).status;
      return (await api.callWithStatus(contract.topics.joinByInvite, { inviteCode, ...fields })).status;
    });
    if (joined.ok && joined.value === 202) {
      setStep("pending");
      return router.refresh();
    }
    if (joined.ok) {
      toast({ text: words.t("membership.joined", { name: target.title }) });
      router.push(`/topics/${target.topicId}`);
      return router.refresh();
    }
    const { code, body, sentence } = joined;
    if (code === "proof_required") return setStep("proof");
    setStep(code === "request_pending" ? "pending" : null);
    if (code === "nickname_required") return router.push(`/profile?next=${encodeURIComponent(page)}`);
    if (code === "banned") setBan({ until: body?.until ?? null });
    else if (code !== "request_pending") setError(sentence);
  };
  return { step, error, ban, join };
}
