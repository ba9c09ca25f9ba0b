"use client";

import { useWords } from "#words";
import { Note } from "@/components/ui/notes";
import { useMoment } from "@/components/ui/use-moment";
import type { contract, ResponseBody } from "@/lib/contract";

export interface NewAccountNoteProps {
  /** Null for an established account. */
  readonly limits: ResponseBody<typeof contract.profile.getLimits>["newAccount"];
  /** Whether the reader is about to create a topic, not to write a post. */
  readonly forTopic?: boolean;
}

/** Tells members with a new account what they may do until it is established, before they do it. */
export function NewAccountNote({ limits, forTopic }: NewAccountNoteProps) {
  const { t } = useWords();
  const when = useMoment(limits?.until ?? null);
  if (!limits) return null;
  const { links, images, mentions, topicsPerDay, topicsLeft, acceptedMissing: n } = limits;
  return (
    <Note tone={forTopic && topicsLeft === 0 ? "warning" : "plain"} title={t("newAccount.title")}>
      <p>
        {forTopic
          ? t("newAccount.topics", { max: topicsPerDay, left: topicsLeft })
          : t("newAccount.texts", { links, images, mentions })}
      </p>
      <p>
        {when && n > 0
          ? t("newAccount.endsBoth", { when, n })
          : when
            ? t("newAccount.endsAt", { when })
            : t("newAccount.endsAfter", { n })}
      </p>
    </Note>
  );
}
