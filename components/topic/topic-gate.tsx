import { useWords } from "#words";
import type { PublicConfig } from "@/components/proof/config";
import { Gate, type GateProps } from "@/components/proof/gate";
import { offerAmount } from "@/components/proof/price-tag";
import { Note } from "@/components/ui/notes";
import { isWorkspace } from "@/lib/policy/gate";
import { opennessHint } from "./audience";
import type { TopicView } from "./header";
import { JoinLink, joinVerb } from "./join-link";
import { JoinNow } from "./join-now";
import { opennessOf } from "./openness";

export interface TopicGateProps extends Pick<GateProps, "config" | "shownDomains"> {
  readonly view: TopicView;
  readonly standing: Standing;
}

/** Whether a viewer may join with what they have proven, or with nothing; "guest" is not signed in. */
type Standing = "guest" | "passed" | "not_passed";

/** A topic's gate for this viewer: a member's seal, a pending request, or the button to join, with what that costs. */
export function TopicGate({ view, standing, config, shownDomains }: TopicGateProps) {
  const words = useWords();
  const { t } = words;
  const { topic, currentUserRole, joinPending } = view;
  const isIn = currentUserRole !== null || joinPending;
  const passed = standing === "passed";
  return (
    <Gate
      terms={topic}
      config={config}
      shownDomains={shownDomains}
      passed={isIn || passed}
      action={
        isIn ? null : passed ? (
          <JoinNow topic={topic} verb={joinVerb(words, { ...topic, proofType: "none" })} />
        ) : (
          <JoinLink topic={topic} />
        )
      }
    >
      {isIn ? null : <JoinCost standing={standing} proofType={topic.proofType} config={config} />}
      {topic.visibility === "private" && !isIn ? (
        <p className="text-sm text-soft">
          {opennessHint(words, opennessOf(topic), topic.proofType !== "none")}
        </p>
      ) : null}
      {joinPending ? <Note tone="warning" title={t("topic.pendingTitle")} /> : null}
    </Gate>
  );
}

export interface JoinCostProps {
  readonly standing: Standing;
  readonly proofType: ProofType;
  readonly config: PublicConfig;
}

/** Says what joining costs; nothing for those who have what it takes. */
export function JoinCost({ standing, proofType, config }: JoinCostProps) {
  const words = useWords();
  const offer = config.offers[0];
  if (standing === "passed" || !offer) return null;
  return (
    <p className="text-sm text-soft">
      {words.t(costOf(standing, proofType), { amount: offerAmount(words, offer) })}
    </p>
  );
}

type ProofType = TopicView["topic"]["proofType"];

/** What joining costs: an account takes a proof of a domain, which may also open the gate. */
function costOf(standing: Standing, proofType: ProofType) {
  if (standing !== "guest") return "topic.costs.proof";
  if (proofType === "none") return "topic.costs.account";
  return isWorkspace(proofType) ? "topic.costs.both" : "topic.costs.two";
}
