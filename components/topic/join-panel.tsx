"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { useWords } from "#words";
import { callApi } from "@/components/call-api";
import type { PublicConfig } from "@/components/proof/config";
import type { Demand } from "@/components/proof/demand";
import { ProofFlow } from "@/components/proof/proof-flow";
import { askOfDemand } from "@/components/relay/demand";
import { HandOver } from "@/components/relay/hand-over";
import { Button, ButtonLink } from "@/components/ui/button";
import { ErrorNote, Note } from "@/components/ui/notes";
import { toast } from "@/components/ui/toast";
import { useMoment } from "@/components/ui/use-moment";

interface JoinTarget {
  readonly topicId: string;
  readonly title: string;
  /** Set when an invite is used instead of the plain join. */
  readonly inviteCode?: string;
}

export interface JoinPanelProps {
  readonly target: JoinTarget;
  readonly config: PublicConfig;
  /** What the gate requires; null where this site offers no such proof. */
  readonly demand: Demand | null;
  /** Whether the page shows what the site learns in its right column. */
  readonly beside?: boolean;
  /** This page's path. */
  readonly page: string;
  readonly verb: string;
  /** Whether the gate is open or a stored proof seems to pass it: then the button joins without a new proof. */
  readonly likely: boolean;
  readonly member: boolean;
}

type Step = "joining" | "pending" | "proof" | null;

/** Joins a topic at once where possible; where the server requires a proof, starts a proof run. */
export function JoinPanel(props: JoinPanelProps) {
  const words = useWords();
  const { t } = words;
  const { target, config, demand, page, verb } = props;
  const router = useRouter();
  const [step, setStep] = useState<Step>(props.likely ? null : "proof");
  const [error, setError] = useState<string | null>(null);
  const [ban, setBan] = useState<{ readonly until: string | null } | null>(null);

  const join = async (fields: { proof?: string; publicInputs?: string[] } = {}) => {
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
      toast({ text: t("topic.joined", { name: target.title }) });
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

  if (ban) return <BanNote until={ban.until} />;
  if (step === "pending") {
    return (
      <Note
        tone="good"
        title={t("topic.pendingTitle")}
        action={
          <ButtonLink href="/topics" size="sm">
            {t("problems.explore")}
          </ButtonLink>
        }
      >
        {t("topic.pendingText")}
      </Note>
    );
  }
  if (props.member && step !== "proof") {
    return (
      <Note
        tone="good"
        action={
          <ButtonLink href={`/topics/${target.topicId}`} size="sm">
            {t("topic.open")}
          </ButtonLink>
        }
      >
        {t("topic.already")}
      </Note>
    );
  }
  if (step === "proof") {
    if (!demand) return <Note tone="warning">{t("attested.notOffered")}</Note>;
    const { topicId, title, inviteCode } = target;
    const ask = askOfDemand(demand);
    return (
      <ProofFlow
        config={config}
        demand={demand}
        beside={props.beside}
        page={page}
        next={`/topics/${topicId}`}
        extra={
          ask ? (
            <HandOver
              ask={ask}
              hint={t("relay.joinHint")}
              onDone={(completed) => {
                if (!("proof" in completed)) return;
                const { proof, publicInputs } = completed;
                void join({ proof, publicInputs });
              }}
            />
          ) : null
        }
        purpose={
          inviteCode ? { kind: "invite", code: inviteCode, topicId, title } : { kind: "join", topicId, title }
        }
      />
    );
  }
  return (
    <div className="grid gap-3">
      {error ? <ErrorNote>{error}</ErrorNote> : null}
      <div>
        <Button tone="primary" busy={step === "joining"} onClick={() => join()}>
          {verb}
        </Button>
      </div>
    </div>
  );
}

/** Tells a visitor that they are banned. @param until ISO 8601; null for an unlimited ban */
function BanNote({ until }: { readonly until: string | null }) {
  const { t } = useWords();
  const when = useMoment(until);
  return (
    <div role="alert">
      <Note tone="warning" title={t("membership.bannedTitle")}>
        {when ? t("membership.bannedUntil", { when }) : t("membership.banned")}
      </Note>
    </div>
  );
}
