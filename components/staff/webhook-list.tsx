"use client";

import { Webhook as Icon } from "lucide-react";
import { useState } from "react";
import { useWords } from "#words";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { CopyField } from "@/components/ui/copy-field";
import { EmptyState, Note } from "@/components/ui/notes";
import { TimeAgo } from "@/components/ui/time-ago";
import { toast } from "@/components/ui/toast";
import { useOptimisticState } from "@/components/use-optimistic";
import type { contract, ResponseBody } from "@/lib/contract";
import { LIMITS } from "@/lib/contract/limits";
import { NewWebhook } from "./new-webhook";
import { useKeptFocus } from "./use-optimistic-rows";

type Webhook = ResponseBody<typeof contract.webhooks.list>["webhooks"][number];

export interface WebhookListProps {
  readonly topicId: string;
  readonly initial: readonly Webhook[];
}

/** The webhooks of a topic, for its staff. Acts show at once; a refusal restores the row. */
export function WebhookList({ topicId, initial }: WebhookListProps) {
  const { t } = useWords();
  const { shown, act } = useOptimisticState(initial);
  const [isMaking, setMaking] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const list = useKeptFocus<HTMLUListElement>(shown.length);
  const isFull = shown.length >= LIMITS.webhooks.most;
  const made = (answer: ResponseBody<typeof contract.webhooks.create>) => {
    setSecret(answer.secret);
    setMaking(false);
    void act({ change: (hooks) => [answer.webhook, ...hooks], send: async () => undefined });
  };
  const remove = async ({ id }: Webhook) => {
    const change = (hooks: readonly Webhook[]) => hooks.filter((hook) => hook.id !== id);
    const result = await act({
      change,
      send: ({ api, contract }) => api.call(contract.webhooks.delete, { topicId, webhookId: id }),
      // Somebody else of the staff was faster.
      refused: ({ code }) => (code === "webhook_not_found" ? change : (hooks) => hooks),
    });
    if (result.ok) toast({ text: t("webhooks.deleted") });
  };
  const resume = async ({ id }: Webhook) => {
    const result = await act({
      change: (hooks) =>
        hooks.map((hook) => (hook.id === id ? { ...hook, stoppedAt: null, failingSince: null } : hook)),
      send: ({ api, contract }) => api.call(contract.webhooks.replay, { topicId, webhookId: id }),
    });
    if (result.ok) toast({ text: t("webhooks.resumed") });
  };
  return (
    <>
      {secret ? (
        <Note title={t("webhooks.once")}>
          <div className="flex flex-wrap gap-2 sm:flex-nowrap">
            <CopyField label={t("webhooks.secret")} value={secret} button={t("webhooks.copy")} />
          </div>
        </Note>
      ) : null}
      {shown.length === 0 ? (
        <EmptyState title={t("webhooks.noneTitle")}>{t("webhooks.none")}</EmptyState>
      ) : (
        <ul
          ref={list}
          tabIndex={-1}
          aria-label={t("webhooks.title")}
          className="divide-y rounded-sheet border bg-sheet outline-none"
        >
          {shown.map((hook) => (
            <li key={hook.id} className="flex flex-wrap items-start gap-3 px-4 py-3">
              <Icon className="mt-0.5 size-5 shrink-0 text-soft" aria-hidden />
              <div className="grid min-w-0 flex-1 gap-0.5">
                <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
                  <span className="font-medium wrap-anywhere">{hook.url}</span>
                  <State of={hook} />
                </p>
                <p className="text-sm text-soft">{t("webhooks.by", { name: hook.author.nickname })}</p>
                {hook.stoppedAt ? (
                  <p className="text-sm text-soft">
                    {t("webhooks.stoppedSince")} <TimeAgo at={hook.stoppedAt} />
                  </p>
                ) : null}
              </div>
              <div className="flex gap-2">
                {hook.stoppedAt ? (
                  <Button
                    size="sm"
                    aria-label={t("webhooks.resumeOne", { url: hook.url })}
                    onClick={() => void resume(hook)}
                  >
                    {t("webhooks.resume")}
                  </Button>
                ) : null}
                <Button
                  size="sm"
                  aria-label={t("webhooks.deleteOne", { url: hook.url })}
                  onClick={() => void remove(hook)}
                >
                  {t("common.delete")}
                </Button>
              </div>
            </li>
          ))}
        </ul>
      )}
      {isFull ? (
        <p className="text-sm text-soft">{t("webhooks.full", { n: LIMITS.webhooks.most })}</p>
      ) : (
        <div>
          <Button tone="primary" onClick={() => setMaking(true)}>
            {t("webhooks.add")}
          </Button>
        </div>
      )}
      {isMaking ? <NewWebhook topicId={topicId} onMade={made} onClose={() => setMaking(false)} /> : null}
    </>
  );
}

function State({ of: { stoppedAt, failingSince } }: { readonly of: Webhook }) {
  const { t } = useWords();
  if (stoppedAt) return <Badge tone="warning">{t("webhooks.stopped")}</Badge>;
  if (failingSince) return <Badge tone="warning">{t("webhooks.failing")}</Badge>;
  return <Badge tone="good">{t("webhooks.working")}</Badge>;
}
