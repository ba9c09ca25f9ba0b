"use client";

import { useWords } from "#words";
import type { PublicConfig } from "@/components/proof/config";
import type { Demand } from "@/components/proof/demand";
import { ProofFlow } from "@/components/proof/proof-flow";
import { askOfDemand } from "@/components/relay/demand";
import { HandOver } from "@/components/relay/hand-over";
import { Button, ButtonLink } from "@/components/ui/button";
import { ErrorNote, Note } from "@/components/ui/notes";
import { BanNote } from "./ban-note";
import { type JoinTarget, useJoin } from "./use-join";

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

/** Joins a topic at once where possible; where the server requires a proof, starts a proof run. */
export function JoinPanel(props: JoinPanelProps) {
  const { t } = useWords();
  const { target, config, demand, page, verb } = props;
  const { step, error, ban, join } = useJoin(target, page, props.likely ? null : "proof");

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
