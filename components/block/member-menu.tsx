"use client";

import { MoreHorizontal } from "lucide-react";
import { useWords } from "#words";
import { Menu } from "@/components/ui/menu";
import { type BlockedUser, useBlockItem } from "./blocks";

interface MemberMenuProps {
  readonly member: BlockedUser;
  readonly isBlocked: boolean;
}

/** The menu of a member in a list, with what a reader can do about them. */
export function MemberMenu({ member, isBlocked }: MemberMenuProps) {
  const { t } = useWords();
  const items = useBlockItem(member, isBlocked);
  return (
    <Menu
      label={t("post.memberTools", { name: member.nickname })}
      trigger={<MoreHorizontal className="size-5" aria-hidden />}
      items={items}
    />
  );
}
