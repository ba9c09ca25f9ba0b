"use client";

import { useState } from "react";
import { useWords } from "#words";
import { TextField } from "@/components/ui/field";
import { LIMITS } from "@/lib/contract/limits";
import { AccountPicker, type PickedAccount } from "../account-picker";
import type { Duration } from "../duration-field";
import { ReasonDialog } from "../reason-dialog";
import { SanctionDialog } from "../sanction-dialog";
import { sendAct } from "./calls";
import { type Case, caseName, type QueueAct, type QueueSource } from "./case";
import { templatesFor } from "./templates";

/** Acts that a dialog asks about. */
export type AskedAct = Exclude<QueueAct, "approve" | "dismiss" | "resolve" | "claim" | "release">;

export interface ActDialogProps {
  readonly source: QueueSource;
  readonly of: Case;
  readonly act: AskedAct;
  /** The reason to begin with. */
  readonly reason: string;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Acts on the author, whom the sentences name. */
const ON_AUTHOR: readonly QueueAct[] = ["silence", "suspend"];
/** How long a sanction lasts unless chosen. */
const LASTS: Readonly<Partial<Record<AskedAct, Duration>>> = { silence: "week", suspend: "always" };

/** Asks for what an act needs: a reason, and an end, a new owner or a new name. */
export function ActDialog({ act, ...rest }: ActDialogProps) {
  return act === "mute" || act === "ban" ? (
    <MemberDialog kind={act} {...rest} />
  ) : (
    <CaseDialog act={act} {...rest} />
  );
}

interface MemberDialogProps extends Omit<ActDialogProps, "act"> {
  readonly kind: "mute" | "ban";
}

/** Mutes or bans the author in the topic, which hides what is reported of theirs. */
function MemberDialog({ kind, source, of, reason, onDone, onClose }: MemberDialogProps) {
  const { t } = useWords();
  if (!of.author || !of.topic) return null;
  return (
    <SanctionDialog
      kind={kind}
      topicId={of.topic.id}
      person={of.author}
      hides="reported"
      reason={reason}
      templates={templatesFor(of.reasons)}
      also={{
        text: t("queue.fields.alsoResolves"),
        work: async (client, given) => {
          try {
            await sendAct(source, of, "resolve", { reason: given })(client);
          } catch (error) {
            // Hiding what is reported resolved it.
            if (client.codeOf(error) !== "case_decided") throw error;
          }
        },
      }}
      onDone={onDone}
      onClose={onClose}
    />
  );
}

interface CaseDialogProps extends Omit<ActDialogProps, "act"> {
  readonly act: Exclude<AskedAct, "mute" | "ban">;
}

function CaseDialog({ source, of, act, reason, onDone, onClose }: CaseDialogProps) {
  const { t } = useWords();
  const [owner, setOwner] = useState<PickedAccount | null>(null);
  const [name, setName] = useState("");
  const isPublic = source === "desk";
  const about = ON_AUTHOR.includes(act) ? (of.author?.nickname ?? "") : caseName(of, t("queue.untitled"));
  const text = t(`queue.dialogs.${act}.text`, { name: about, n: of.files });
  return (
    <ReasonDialog
      title={t(`queue.dialogs.${act}.title`, { name: about })}
      text={act === "hold" ? text : `${text} ${t("queue.fields.alsoResolves")}`}
      confirm={t(`queue.dialogs.${act}.confirm`)}
      reason={act === "hold" ? "" : reason}
      templates={templatesFor(of.reasons)}
      hint={isPublic ? t("queue.fields.publicHint") : undefined}
      required={isPublic || ON_AUTHOR.includes(act)}
      duration={LASTS[act]}
      again={`${location.pathname}${location.search}`}
      missing={() => {
        if (act === "handOver" && !owner) return t("queue.fields.newOwnerNeeded");
        return act === "renameTag" && !name.trim() ? t("queue.fields.newNameNeeded") : null;
      }}
      work={(client, given) =>
        sendAct(source, of, act, { ...given, userId: owner?.userId, name: name.trim() })(client)
      }
      onDone={onDone}
      onClose={onClose}
    >
      {act === "handOver" ? (
        <AccountPicker
          label={t("queue.fields.newOwner")}
          hint={t("queue.fields.newOwnerHint")}
          value={owner}
          onChange={setOwner}
        />
      ) : null}
      {act === "renameTag" ? (
        <TextField
          label={t("queue.fields.newName")}
          dir="auto"
          maxLength={LIMITS.post.tag}
          value={name}
          onValue={setName}
        />
      ) : null}
    </ReasonDialog>
  );
}
