"use client";

import { useWords } from "#words";
import { useBlock, useBlockChanges } from "@/components/block/blocks";
import { useKeptFocus } from "@/components/staff/use-optimistic-rows";
import { Button } from "@/components/ui/button";
import { cx } from "@/components/ui/cx";
import { Avatar } from "@/components/ui/identicon";
import type { contract, ResponseBody } from "@/lib/contract";

type Blocked = ResponseBody<typeof contract.my.blocks>["users"][number];

/** Everyone whom the reader blocked, with a button that takes it back. It shows at once; a refusal restores the row. */
export function BlockList({ users }: { readonly users: readonly Blocked[] }) {
  const { t } = useWords();
  const changes = useBlockChanges();
  const block = useBlock();
  const shown = users.filter(({ userId }) => changes.get(userId) !== false);
  const list = useKeptFocus<HTMLUListElement>(shown.length);
  return (
    <>
      {shown.length === 0 ? <p className="text-soft">{t("settings.blocksNone")}</p> : null}
      <ul
        ref={list}
        tabIndex={-1}
        aria-label={t("settings.blocks")}
        className={cx("divide-y outline-none", shown.length > 0 && "border-y")}
      >
        {shown.map((user) => (
          <li key={user.userId} className="flex items-center gap-3 py-2">
            <Avatar userId={user.userId} image={user.profileImage} size="sm" />
            <span className="min-w-0 flex-1 truncate font-medium">{user.nickname}</span>
            <Button
              size="sm"
              aria-label={t("post.unblock", { name: user.nickname })}
              onClick={() => void block(user, false)}
            >
              {t("settings.unblock")}
            </Button>
          </li>
        ))}
      </ul>
    </>
  );
}
