import { PenLine } from "lucide-react";
import { useWords } from "#words";
import { ButtonLink } from "@/components/ui/button";
import { Badge } from "@/components/ui/notes";
import type { contract, ResponseBody } from "@/lib/contract";
import { GateChip } from "./topic-row";

export type TopicView = ResponseBody<typeof contract.topics.get>;

/** Name, description, size and the viewer's place in a topic. */
export function TopicHeader({ view }: { readonly view: TopicView }) {
  const words = useWords();
  const { topic, currentUserRole, joinPending } = view;
  return (
    <header className="grid gap-3">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-soft">
        {topic.category ? (
          <span>
            <span aria-hidden="true">{topic.category.icon}</span> {topic.category.name}
          </span>
        ) : null}
        <span>{words.t("common.members", { n: topic.memberCount })}</span>
        <span>{words.t("common.posts", { n: topic.postCount })}</span>
        {topic.visibility === "public" ? null : (
          <Badge>{words.t(`topic.visibilities.${topic.visibility}`)}</Badge>
        )}
        {currentUserRole ? <Badge tone="good">{words.t(`topic.${currentUserRole}`)}</Badge> : null}
        {joinPending ? <Badge tone="warning">{words.t("topic.pending")}</Badge> : null}
      </p>
      <h1 className="font-serif text-3xl font-semibold" dir="auto">
        {topic.title}
      </h1>
      {topic.description ? (
        <p className="line-clamp-4 max-w-[68ch] text-lg text-soft" dir="auto">
          {topic.description}
        </p>
      ) : null}
      <div className="flex flex-wrap items-center gap-3">
        {currentUserRole ? (
          <ButtonLink href={`/topics/${topic.id}/new`} tone="primary">
            <PenLine className="size-4" aria-hidden />
            {words.t("topic.write")}
          </ButtonLink>
        ) : null}
        <GateChip topic={topic} />
      </div>
    </header>
  );
}
