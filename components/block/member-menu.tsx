"use client";

import { MoreHorizontal } from "lucide-react";
import { useWords } from "#words";
import { useReport } from "@/components/report/use-report";
import { Menu } from "@/components/ui/menu";
import { type BlockedUser, useBlockItem } from "./blocks";

interface MemberMenuProps {
  readonly member: BlockedUser;
  readonly isBlocked: boolean;
}

/** The menu of a member in a list, with what a reader can do about them. */
export function MemberMenu({ member, isBlocked }: MemberMenuProps) {
  const { t } = useWords();
  const block = useBlockItem(member, isBlocked);
  const report = useReport({ kind: "profile", ...member });
  const reporting = { label: t("report.profile", { name: member.nickname }), onSelect: report.open };
  return (
    <>
      <Menu
        label={t("post.memberTools", { name: member.nickname })}
        trigger={<MoreHorizontal className="size-5" aria-hidden />}
        items={[...block, reporting]}
        busy={report.busy}
      />
      {report.dialog}
    </>
  );
}
