import { demandOf } from "@/components/proof/demand";
import { Gate } from "@/components/proof/gate";
import { Page } from "@/components/shell/page";
import { opennessHint } from "@/components/topic/audience";
import { joinVerb } from "@/components/topic/join-link";
import { JoinPanel } from "@/components/topic/join-panel";
import { opennessOf } from "@/components/topic/openness";
import { OwnRules } from "@/components/topic/own-rules";
import { ProofNote } from "@/components/topic/proof-note";
import { Note } from "@/components/ui/notes";
import { getWords } from "@/lib/i18n/server";
import { pageHead } from "../../../_data/head";
import { shownDomains } from "../../../_data/me";
import { config, namedViewer } from "../../../_data/reads";
import { looksPassed } from "../../../_data/seals";
import type { IdPageProps } from "../../../_data/search-params";
import { LearnsBox } from "../../../_parts/learns-box";
import { proofGroups, withWords } from "../../../_parts/words";
import { Closed, openTopic } from "../_parts/open";

export const generateMetadata = pageHead((t) => t("common.joinTopic"));

/** The join page of a topic: its gate, then one click or a proof. */
async function Join({ params }: IdPageProps) {
  const words = await getWords();
  const [view, settings] = await Promise.all([openTopic(params), config()]);
  if (!view) return <Closed />;
  const { topic, currentUserRole, joinPending, proof } = view;
  const isMember = currentUserRole !== null && !topic.abilities.includes("join");
  const { id } = topic;
  const page = `/topics/${id}/join`;
  await namedViewer(page);
  const passed = await looksPassed(topic);
  const demand = demandOf(topic, settings);
  return (
    <Page
      title={words.t("topic.joinTitle", { name: topic.title })}
      back={`/topics/${id}`}
      aside={demand ? <LearnsBox demand={demand} /> : null}
    >
      <Gate
        terms={topic}
        config={settings}
        shownDomains={await shownDomains(id)}
        passed={passed}
        warns={passed || joinPending}
      />
      <OwnRules topic={topic} />
      <ProofNote topicId={id} proof={proof} isHere />
      {topic.visibility === "private" && !currentUserRole && !joinPending ? (
        <Note>{opennessHint(words, opennessOf(topic), topic.proofType !== "none")}</Note>
      ) : null}
      {joinPending ? (
        <Note tone="good" title={words.t("topic.pendingTitle")}>
          {words.t("topic.pendingText")}
        </Note>
      ) : (
        <JoinPanel
          target={{ topicId: id, title: topic.title }}
          config={settings}
          demand={demand}
          beside
          page={page}
          verb={
            currentUserRole
              ? words.t("membership.proveAgain")
              : passed && !topic.requiresApproval
                ? words.t("common.joinTopic")
                : joinVerb(words, { ...topic, proofType: "none" })
          }
          likely={passed}
          member={isMember}
        />
      )}
    </Page>
  );
}

export default withWords(["membership", "topic", ...proofGroups], Join);
