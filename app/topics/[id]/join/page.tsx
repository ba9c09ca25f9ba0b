import type { Metadata } from "next";
import { notFound, redirect } from "next/navigation";
import { demandOf } from "@/components/proof/demand";
import { Gate } from "@/components/proof/gate";
import { Learns } from "@/components/proof/learns";
import { Page } from "@/components/shell/page";
import { JoinPanel } from "@/components/topic/join-panel";
import { joinVerb } from "@/components/topic/join-verb";
import { Note } from "@/components/ui/notes";
import { getWords } from "@/lib/i18n/server";
import { shownDomains } from "../../../_data/me";
import { config, topic as readTopic, viewer } from "../../../_data/reads";
import { looksPassed } from "../../../_data/seals";
import { isId } from "../../../_data/search-params";
import { Closed } from "../../../_parts/closed";

interface Props {
  readonly params: Promise<{ readonly id: string }>;
}

export async function generateMetadata(): Promise<Metadata> {
  const { t } = await getWords();
  return { title: t("topic.join") };
}

/** The way into a topic: its gate, then one click or a proof. */
export default async function Join({ params }: Props) {
  const words = await getWords();
  const { id } = await params;
  if (!isId(id)) notFound();
  const page = `/topics/${id}/join`;
  const [found, who, settings] = await Promise.all([readTopic(id), viewer(), config()]);
  if (!found.ok) {
    if (found.code === "topic_secret") return <Closed />;
    notFound();
  }
  const { topic, currentUserRole, joinPending } = found.value;
  if (!who) redirect(`/sign-in?next=${encodeURIComponent(page)}`);
  if (!who.nicknameSet) redirect(`/profile?next=${encodeURIComponent(page)}`);
  const passed = await looksPassed(topic);
  const demand = demandOf(topic, settings);
  return (
    <Page
      title={words.t("topic.joinTitle", { name: topic.title })}
      back={`/topics/${id}`}
      aside={
        demand ? (
          <div className="rounded-sheet border bg-sheet p-4">
            <Learns demand={demand} narrow />
          </div>
        ) : null
      }
    >
      <Gate terms={topic} config={settings} shownDomains={await shownDomains()} passed={passed} />
      {topic.visibility === "private" && !currentUserRole && !joinPending ? (
        <Note>{words.t("topic.visibilityHints.private")}</Note>
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
            passed && topic.visibility !== "private"
              ? words.t("topic.join")
              : joinVerb(words, { ...topic, proofType: "none" })
          }
          likely={passed}
          member={currentUserRole !== null}
        />
      )}
    </Page>
  );
}
