"use client";

import { MoreHorizontal, StickyNote } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useWords } from "#words";
import { useReport } from "@/components/report/use-report";
import { MemberRow } from "@/components/topic/member-list";
import { Button } from "@/components/ui/button";
import { Menu, type MenuItem } from "@/components/ui/menu";
import type { Ability } from "@/lib/contract/abilities";
import type { Member } from "@/lib/contract/members";
import { ConfirmDialog, type ConfirmDialogProps } from "./confirm-dialog";
import { type HideChoice, HideField, hideOf } from "./hide-field";
import { NotesDialog } from "./notes-dialog";
import { PROVE_AGAIN_CODE, ProveAgain } from "./prove-again";
import { ReasonField, reasonOf } from "./reason-field";
import { SanctionDialog } from "./sanction-dialog";
import { useOptimisticRows } from "./use-optimistic-rows";

export interface MemberRowsProps {
  readonly topicId: string;
  readonly members: readonly Member[];
  /** User id of the reader. */
  readonly me: string;
  /** User id of the new owner that the reader had chosen before proving again. */
  readonly handOver?: string;
}

interface OpenDialog {
  readonly act: Ability<"member"> | "notes";
  readonly member: Member;
}

const NEW_ROLE = { promote: "admin", demote: "member" } as const;

/** The members of a topic with the actions of staff. */
export function MemberRows({ topicId, members, me, handOver }: MemberRowsProps) {
  const { t } = useWords();
  const router = useRouter();
  const { shown, change, list } = useOptimisticRows(members, ({ userId }) => userId);
  const [dialog, setDialog] = useState<OpenDialog | null>(() => {
    const heir = members.find(
      ({ userId, abilities }) => userId === handOver && abilities.includes("transfer"),
    );
    return heir ? { act: "transfer", member: heir } : null;
  });
  const close = () => setDialog(null);
  const done = () => {
    close();
    router.refresh();
  };

  const start = (act: OpenDialog["act"], member: Member) => {
    if (act !== "promote" && act !== "demote") return setDialog({ act, member });
    const role = NEW_ROLE[act];
    const { userId, nickname: name } = member;
    void change({
      row: member,
      // The new abilities are unknown until the server has answered.
      to: { ...member, role, abilities: [] },
      work: ({ api, contract }) => api.call(contract.members.setRole, { topicId, userId, role }),
      done: t("staff.roleSet", { name, role }),
      outdated: ["member_not_found"],
    });
  };
  const itemsOf = (member: Member): MenuItem[] => {
    const notes = member.noteCount === null || member.userId === me ? [] : (["notes"] as const);
    return [...notes, ...member.abilities].map((act) => ({
      label: t(`staff.${act}`),
      onSelect: () => start(act, member),
    }));
  };
  return (
    <>
      <ul ref={list} tabIndex={-1} aria-label={t("topic.members")} className="divide-y border-y outline-none">
        {shown.map((member) => (
          <MemberRow key={member.userId} topicId={topicId} member={member} me={me}>
            {member.noteCount ? (
              <Button
                tone="quiet"
                size="sm"
                aria-label={t("staff.notesOf", { n: member.noteCount, name: member.nickname })}
                onClick={() => start("notes", member)}
              >
                <StickyNote className="size-4" aria-hidden />
                {member.noteCount}
              </Button>
            ) : null}
            {member.userId === me ? null : <ManageMenu member={member} items={itemsOf(member)} />}
          </MemberRow>
        ))}
      </ul>
      {dialog?.act === "notes" ? (
        <NotesDialog topicId={topicId} person={dialog.member} onClose={close} />
      ) : null}
      {dialog?.act === "remove" ? (
        <RemoveDialog topicId={topicId} member={dialog.member} onDone={done} onClose={close} />
      ) : null}
      {dialog?.act === "transfer" ? (
        <TransferDialog topicId={topicId} member={dialog.member} onDone={done} onClose={close} />
      ) : null}
      {dialog?.act === "mute" || dialog?.act === "ban" ? (
        <SanctionDialog
          kind={dialog.act}
          topicId={topicId}
          person={dialog.member}
          onDone={done}
          onClose={close}
        />
      ) : null}
    </>
  );
}

interface ManageMenuProps {
  readonly member: Member;
  readonly items: readonly MenuItem[];
}

/** What the staff can do with a member; everyone can report a nickname or picture to the operators. */
function ManageMenu({ member: { userId, nickname }, items }: ManageMenuProps) {
  const { t } = useWords();
  const report = useReport({ kind: "profile", userId, nickname });
  const reporting = { label: t("report.profile", { name: nickname }), onSelect: report.open };
  return (
    <>
      <Menu
        label={t("staff.manage", { name: nickname })}
        trigger={<MoreHorizontal className="size-5" aria-hidden />}
        items={[...items, reporting]}
        busy={report.busy}
      />
      {report.dialog}
    </>
  );
}

interface MemberDialogProps extends Pick<ConfirmDialogProps, "onDone" | "onClose"> {
  readonly topicId: string;
  readonly member: Member;
}

function RemoveDialog({ topicId, member, onDone, onClose }: MemberDialogProps) {
  const { t } = useWords();
  const [reason, setReason] = useState("");
  const [hide, setHide] = useState<HideChoice>("none");
  const { userId, nickname: name } = member;
  return (
    <ConfirmDialog
      title={t("staff.removeTitle", { name })}
      text={t("staff.removeText", { name })}
      confirm={t("staff.removeConfirm")}
      work={({ api, contract }) =>
        api.call(contract.members.remove, { topicId, userId, reason: reasonOf(reason), hide: hideOf(hide) })
      }
      done={t("staff.removed", { name })}
      onDone={onDone}
      onClose={onClose}
    >
      <HideField value={hide} onChange={setHide} />
      <ReasonField value={reason} onChange={setReason} />
    </ConfirmDialog>
  );
}

/** Offers the topic to a member, who becomes its owner by accepting. */
function TransferDialog({ topicId, member, onDone, onClose }: MemberDialogProps) {
  const { t } = useWords();
  const { userId, nickname: name } = member;
  const again = `/topics/${topicId}/members?${new URLSearchParams({ q: name, handOver: userId })}`;
  return (
    <ConfirmDialog
      title={t("staff.transferTitle", { name })}
      text={t("staff.transferText", { name })}
      confirm={t("staff.transfer")}
      answers={{ [PROVE_AGAIN_CODE]: <ProveAgain next={again} /> }}
      work={({ api, contract }) => api.call(contract.ownership.offer, { topicId, userId })}
      done={t("staff.transferred", { name })}
      onDone={onDone}
      onClose={onClose}
    />
  );
}
