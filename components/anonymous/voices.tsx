"use client";

import { type ReactNode, useState } from "react";
import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { later, useLater } from "@/components/use-later";
import type { CrowdNoteProps } from "./crowd-note";
import type { OwnHereProps } from "./own-here";
import type { RepliesNoteProps } from "./replies-note";
import type { SecretVoteProps } from "./secret-vote";
import type { SelfProps } from "./self-props";
import type { WriteCommentProps } from "./write-comment";
import type { WritePostProps } from "./write-post";

// One script with all of it, for every member who opens the topic: what is loaded says nothing about who will write.
const self = later(() => import("./self").then((m) => m.AnonymousSelf));

/** What the reader's anonymous self sees and does in a topic; nothing before its script has loaded. */
function Later(props: SelfProps) {
  const Self = useLater(self);
  return Self ? <Self {...props} /> : null;
}

/** Shows the crowd's offer to a member, and looks after what this device knows of it. */
export function Crowd(props: CrowdNoteProps) {
  return <Later part="crowd" {...props} />;
}

/** Shows what waits here to be sent without a name. */
export function AnonymousWaiting(props: { readonly topicId: string; readonly postId?: string }) {
  return <Later part="waiting" {...props} />;
}

/** Shows what the reader wrote in a thread without a name. */
export function OwnTexts(props: OwnHereProps) {
  return <Later part="own" {...props} />;
}

/** Says where comments came under what the reader wrote without a name. */
export function AnonymousReplies(props: RepliesNoteProps) {
  return <Later part="replies" {...props} />;
}

/** Casts secret ballots. */
export function Ballot(props: SecretVoteProps) {
  return <Later part="ballot" {...props} />;
}

export interface PostVoicesProps extends WritePostProps {
  /** The writer's nickname. */
  readonly name: string;
  /** The form under that name. */
  readonly children: ReactNode;
}

/** Writes a post under one's name, or without it. */
export function PostVoices({ name, children, ...rest }: PostVoicesProps) {
  return (
    <Voices
      topicId={rest.topicId}
      name={name}
      named={children}
      nameless={() => ({ part: "post", ...rest })}
    />
  );
}

export interface CommentVoicesProps extends Omit<WriteCommentProps, "onKept"> {
  /** The writer's nickname; null where nobody comments without a name. */
  readonly name: string | null;
  readonly onKept?: () => void;
  /** The form under that name. */
  readonly children: ReactNode;
}

/** Writes a comment or reply under one's name, or without it. */
export function CommentVoices({ name, children, onKept, ...rest }: CommentVoicesProps) {
  if (name === null) return children;
  const kept = (back: () => void) => () => {
    back();
    onKept?.();
  };
  return (
    <Voices
      topicId={rest.topicId}
      name={name}
      named={children}
      nameless={(back) => ({ part: "comment", ...rest, onKept: kept(back) })}
    />
  );
}

interface VoicesProps {
  readonly topicId: string;
  readonly name: string;
  readonly named: ReactNode;
  readonly nameless: (back: () => void) => SelfProps;
}

function Voices({ topicId, name, named, nameless }: VoicesProps) {
  const { t } = useWords();
  const [isNameless, setNameless] = useState(false);
  if (!isNameless) {
    return (
      <>
        {named}
        <Later part="switch" topicId={topicId} onSwitch={() => setNameless(true)} />
      </>
    );
  }
  const back = () => setNameless(false);
  return (
    <>
      <Later {...nameless(back)} />
      <div>
        <Button size="sm" tone="quiet" onClick={back}>
          {t("anonymous.asMe", { name })}
        </Button>
      </div>
    </>
  );
}
