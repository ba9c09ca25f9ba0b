"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { useWords } from "#words";
import { callApi } from "@/components/call-api";
import { Button } from "@/components/ui/button";
import { toast } from "@/components/ui/toast";
import type { BlockedUser } from "./blocks";

interface FollowProps {
  readonly member: BlockedUser;
  readonly isFollowed: boolean;
}

/** Follows a member, or no longer. It shows at once; a refusal undoes it. */
export function Follow({ member: { userId, nickname: name }, isFollowed }: FollowProps) {
  const words = useWords();
  const { t } = words;
  const router = useRouter();
  const [on, setOn] = useState(isFollowed);
  const [busy, setBusy] = useState(false);
  const toggle = async () => {
    if (busy) return;
    setOn(!on);
    setBusy(true);
    const answer = await callApi<unknown>(words, ({ api, contract }) =>
      on ? api.call(contract.users.unfollow, { userId }) : api.call(contract.users.follow, { userId }),
    );
    setBusy(false);
    if (!answer.ok) {
      setOn(on);
      return toast({ tone: "wrong", text: answer.sentence });
    }
    toast({ text: t(on ? "person.unfollowed" : "person.followed", { name }) });
    // Home, in memory, still shows what it knew.
    router.refresh();
  };
  return (
    <Button
      size="sm"
      aria-pressed={on}
      aria-label={t(on ? "person.followingOf" : "person.followOf", { name })}
      title={t("person.followHint")}
      onClick={() => void toggle()}
    >
      {t(on ? "person.following" : "person.follow")}
    </Button>
  );
}
