"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { useWords } from "#words";
import type { Client } from "@/components/call-api";
import { type GivenReason, ReasonDialog } from "@/components/staff/reason-dialog";
import { Button } from "@/components/ui/button";
import type { contract, ResponseBody } from "@/lib/contract";

type Person = ResponseBody<typeof contract.desk.account>["user"];
const ACTS = ["silence", "suspend", "endSessions", "resetNickname", "removeImage", "hold"] as const;
type AccountAct = (typeof ACTS)[number];

export interface AccountActsProps {
  readonly user: Person;
  /** Whether it has a role, and so cannot be silenced or suspended. */
  readonly isProtected: boolean;
}

/** What operators can do to an account. Each act asks for a reason. */
export function AccountActs({ user, isProtected }: AccountActsProps) {
  const { t } = useWords();
  const router = useRouter();
  const [asked, setAsked] = useState<AccountAct | null>(null);
  const acts = ACTS.filter((act) => {
    if (act === "silence" || act === "suspend") return !isProtected;
    return act !== "removeImage" || user.profileImage !== null;
  });
  return (
    <>
      <div className="flex flex-wrap gap-2">
        {acts.map((act) => (
          <Button key={act} onClick={() => setAsked(act)}>
            {t(`desk.${act}`)}
          </Button>
        ))}
      </div>
      {asked ? (
        <ActDialog
          act={asked}
          user={user}
          onDone={() => {
            setAsked(null);
            router.refresh();
          }}
          onClose={() => setAsked(null)}
        />
      ) : null}
    </>
  );
}

interface ActDialogProps {
  readonly act: AccountAct;
  readonly user: Person;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

function ActDialog({ act, user, onDone, onClose }: ActDialogProps) {
  const { t } = useWords();
  const { userId, nickname: name } = user;
  const sentences: Readonly<Record<AccountAct, readonly [title: string, text: string, done: string]>> = {
    silence: [
      t("queue.dialogs.silence.title", { name }),
      t("queue.dialogs.silence.text", { name }),
      t("desk.silenced", { name }),
    ],
    suspend: [
      t("queue.dialogs.suspend.title", { name }),
      t("queue.dialogs.suspend.text", { name }),
      t("desk.suspended", { name }),
    ],
    endSessions: [t("desk.endSessionsTitle", { name }), t("desk.endSessionsText"), t("desk.sessionsEnded")],
    resetNickname: [
      t("queue.dialogs.reset_nickname.title", { name }),
      t("queue.dialogs.reset_nickname.text"),
      t("desk.nicknameReset"),
    ],
    removeImage: [
      t("queue.dialogs.remove_image.title", { name }),
      t("queue.dialogs.remove_image.text"),
      t("desk.imageRemoved"),
    ],
    hold: [t("desk.holdTitle", { name }), t("desk.holdText"), t("desk.holdPlaced")],
  };
  const [title, text, done] = sentences[act];
  return (
    <ReasonDialog
      title={title}
      text={text}
      confirm={t(`desk.${act}`)}
      duration={act === "silence" ? "week" : act === "suspend" ? "always" : undefined}
      required
      hint={t("queue.fields.publicHint")}
      again={`/desk/accounts/${userId}`}
      work={(client, given) => send(client, act, userId, given)}
      done={done}
      onDone={onDone}
      onClose={onClose}
    />
  );
}

function send(
  { api, contract }: Client,
  act: AccountAct,
  userId: string,
  { reason, until }: GivenReason,
): Promise<unknown> {
  const body = { userId, reason };
  if (act === "silence" || act === "suspend") {
    return api.call(contract.desk.sanction, { ...body, kind: act, until });
  }
  if (act === "endSessions") return api.call(contract.desk.endSessions, body);
  if (act === "resetNickname") return api.call(contract.desk.resetNickname, body);
  if (act === "removeImage") return api.call(contract.desk.removeImage, body);
  return api.call(contract.desk.placeHold, { kind: "profile", targetId: userId, reason });
}
