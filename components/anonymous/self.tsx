"use client";

import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { CrowdNote } from "./crowd-note";
import { OwnHere } from "./own-here";
import { RepliesNote } from "./replies-note";
import { SecretVote } from "./secret-vote";
import type { SelfProps } from "./self-props";
import { useVoice } from "./use-voice";
import { Waiting } from "./waiting";
import { WriteComment } from "./write-comment";
import { WritePost } from "./write-post";

/** All that the reader's anonymous self sees and does, in one script. */
export function AnonymousSelf(props: SelfProps) {
  switch (props.part) {
    case "crowd":
      return <CrowdNote {...props} />;
    case "post":
      return <WritePost {...props} />;
    case "comment":
      return <WriteComment {...props} />;
    case "ballot":
      return <SecretVote {...props} />;
    case "own":
      return <OwnHere {...props} />;
    case "replies":
      return <RepliesNote {...props} />;
    case "waiting":
      return <Waiting {...props} />;
    case "switch":
      return <Switch {...props} />;
  }
}

function Switch({ topicId, onSwitch }: { readonly topicId: string; readonly onSwitch: () => void }) {
  const { t } = useWords();
  const { isOffered } = useVoice(topicId);
  if (!isOffered) return null;
  return (
    <div>
      <Button size="sm" tone="quiet" onClick={onSwitch}>
        {t("anonymous.asNobody")}
      </Button>
    </div>
  );
}
