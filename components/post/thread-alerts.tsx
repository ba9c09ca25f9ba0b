"use client";

import { Bell, BellOff, BellRing } from "lucide-react";
import { useRouter } from "next/navigation";
import { useWords } from "#words";
import { Menu, type MenuItem } from "@/components/ui/menu";
import { toast } from "@/components/ui/toast";
import { useOptimisticState } from "@/components/use-optimistic";
import { type ThreadLevel, threadLevels } from "@/lib/contract/notification-kinds";

const icons = { watch: BellRing, follow: Bell, normal: Bell, mute: BellOff } as const;

export interface ThreadAlertsProps {
  readonly postId: string;
  readonly level: ThreadLevel;
}

/** What of a post's comments reaches the reader. A choice shows at once; a refusal undoes it. */
export function ThreadAlerts({ postId, level }: ThreadAlertsProps) {
  const { t } = useWords();
  const router = useRouter();
  const { shown, act } = useOptimisticState(level);
  const choose = async (to: ThreadLevel) => {
    const result = await act({
      change: () => to,
      send: ({ api, contract }) => api.call(contract.posts.setNotifications, { postId, level: to }),
    });
    if (!result.ok) return;
    toast({ text: t(`threadAlerts.chosen.${to}`) });
    router.refresh();
  };
  const items = threadLevels.map(
    (one): MenuItem => ({
      label: t(`threadAlerts.levels.${one}`),
      hint: t(`threadAlerts.hints.${one}`),
      isChosen: shown === one,
      onSelect: () => void choose(one),
    }),
  );
  const Icon = icons[shown];
  return (
    <Menu
      label={t("threadAlerts.label", { level: t(`threadAlerts.levels.${shown}`) })}
      trigger={<Icon className="size-5" aria-hidden />}
      items={items}
    />
  );
}
