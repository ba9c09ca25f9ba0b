"use client";

import { useRouter } from "next/navigation";
import { useSyncExternalStore } from "react";
import { useWords } from "#words";
import { callApi } from "@/components/call-api";
import type { MenuItem } from "@/components/ui/menu";
import { toast } from "@/components/ui/toast";
import { OptimisticStore } from "@/components/use-optimistic";

/** What the reader blocked or unblocked since this page loaded, which what is on the page may not know. */
const changes = new OptimisticStore<ReadonlyMap<string, boolean>>(new Map());

/** Forgets the changes, for another account on this device. */
export function forgetBlocks(): void {
  changes.confirm(() => new Map());
}

/** Returns the reader's changes: whether a user is blocked now, by id. */
export function useBlockChanges(): ReadonlyMap<string, boolean> {
  return useSyncExternalStore(changes.subscribe, changes.shown, changes.shown);
}

/** Returns whether the reader blocks a user. @param known what the server said with what is on the page */
export function useIsBlocked(userId: string | null, known: boolean): boolean {
  const changed = useBlockChanges();
  return userId === null ? false : (changed.get(userId) ?? known);
}

export interface BlockedUser {
  readonly userId: string;
  readonly nickname: string;
}

/** Returns a function that blocks or unblocks a user. It shows at once; a refusal undoes it. */
export function useBlock(): (user: BlockedUser, isBlocked: boolean) => Promise<void> {
  const words = useWords();
  const router = useRouter();
  return async ({ userId, nickname: name }, isBlocked) => {
    const result = await changes.act(
      { on: userId, change: (map) => new Map(map).set(userId, isBlocked) },
      () =>
        callApi<unknown>(words, ({ api, contract }) =>
          isBlocked
            ? api.call(contract.users.block, { userId })
            : api.call(contract.users.unblock, { userId }),
        ),
    );
    if (!result.ok) return toast({ tone: "wrong", text: result.sentence });
    toast({ text: words.t(isBlocked ? "post.blocked" : "post.unblocked", { name }) });
    // Other pages in memory still show what they knew.
    router.refresh();
  };
}

/**
 * Returns the entry with which a reader blocks or unblocks an author.
 * @param author null where there is nobody to block
 * @param known whether the server said that the reader blocks them
 * @param onChoose called after the choice, when the text around the menu has folded or unfolded
 */
export function useBlockItem(
  author: BlockedUser | null,
  known: boolean,
  onChoose?: () => void,
): readonly MenuItem[] {
  const { t } = useWords();
  const block = useBlock();
  const isBlocked = useIsBlocked(author?.userId ?? null, known);
  if (!author) return [];
  return [
    {
      label: t(isBlocked ? "post.unblock" : "post.block", { name: author.nickname }),
      onSelect: () => {
        void block(author, !isBlocked);
        onChoose?.();
      },
    },
  ];
}
