"use client";

import { Bell, BellOff, BellRing } from "lucide-react";
import { useRouter } from "next/navigation";
import { useWords } from "#words";
import type { Client } from "@/components/call-api";
import { Menu, type MenuItem } from "@/components/ui/menu";
import { toast } from "@/components/ui/toast";
import { useOptimisticState } from "@/components/use-optimistic";
import type { contract, ResponseBody } from "@/lib/contract";
import { notificationLevels } from "@/lib/contract/notification-kinds";

type Settings = NonNullable<ResponseBody<typeof contract.topics.get>["userSettings"]>;

export interface TopicAlertsProps {
  readonly topicId: string;
  readonly settings: Settings;
}

/** What of a topic notifies the reader, and whether they muted it. A choice shows at once; a refusal undoes it. */
export function TopicAlerts({ topicId, settings }: TopicAlertsProps) {
  const { t } = useWords();
  const router = useRouter();
  const { shown, act } = useOptimisticState(settings);
  const choose = async (to: Partial<Settings>, said: string, send: (client: Client) => Promise<unknown>) => {
    const result = await act({ change: (known) => ({ ...known, ...to }), send });
    if (!result.ok) return;
    toast({ text: said });
    router.refresh();
  };
  const levels = notificationLevels.map(
    (level): MenuItem => ({
      label: t(`topicAlerts.levels.${level}`),
      isChosen: shown.notifications === level,
      onSelect: () =>
        void choose({ notifications: level }, t(`topicAlerts.chosen.${level}`), ({ api, contract }) =>
          api.call(contract.topics.setNotifications, { topicId, level }),
        ),
    }),
  );
  const mute: MenuItem = {
    label: t("topicAlerts.mute"),
    hint: t("topicAlerts.muteHint"),
    isChosen: shown.isMuted,
    onSelect: () =>
      void choose(
        { isMuted: !shown.isMuted },
        t(shown.isMuted ? "topicAlerts.unmuted" : "topicAlerts.muted"),
        ({ api, contract }): Promise<unknown> =>
          shown.isMuted
            ? api.call(contract.topics.unmute, { topicId })
            : api.call(contract.topics.mute, { topicId }),
      ),
  };
  const isQuiet = shown.isMuted || shown.notifications === "none";
  const Icon = isQuiet ? BellOff : shown.notifications === "watch" ? BellRing : Bell;
  return (
    <Menu
      label={t(shown.isMuted ? "topicAlerts.labelMuted" : "topicAlerts.label")}
      trigger={<Icon className="size-5" aria-hidden />}
      // A muted topic has no level.
      items={shown.isMuted ? [mute] : [...levels, mute]}
    />
  );
}
