"use client";

import { useState } from "react";
import { useWords } from "#words";
import { TextField } from "@/components/ui/field";
import type { contract, ResponseBody } from "@/lib/contract";
import { LIMITS } from "@/lib/contract/limits";
import { ConfirmDialog } from "./confirm-dialog";

/** Kinds of events that can be chosen together. */
const groups = {
  posts: ["post.created", "post.updated", "post.removed"],
  comments: ["comment.created", "comment.updated", "comment.removed"],
  messages: ["message.created", "message.updated", "message.removed"],
  members: ["member.joined", "member.left"],
} as const;
type Group = keyof typeof groups;
const names: readonly Group[] = ["posts", "comments", "messages", "members"];

export interface NewWebhookProps {
  readonly topicId: string;
  readonly onMade: (made: ResponseBody<typeof contract.webhooks.create>) => void;
  readonly onClose: () => void;
}

/** Adds a webhook: where to send, and what. */
export function NewWebhook({ topicId, onMade, onClose }: NewWebhookProps) {
  const { t } = useWords();
  const [url, setUrl] = useState("");
  const [chosen, setChosen] = useState<readonly Group[]>(names);
  const missing = () => {
    if (!URL.canParse(url.trim())) return t("webhooks.urlMissing");
    return chosen.length === 0 ? t("webhooks.eventMissing") : null;
  };
  return (
    <ConfirmDialog
      title={t("webhooks.add")}
      text={t("webhooks.addText")}
      confirm={t("webhooks.add")}
      tone="primary"
      missing={missing}
      work={async ({ api, contract }) => {
        const events = chosen.flatMap((name) => groups[name]);
        onMade(await api.call(contract.webhooks.create, { topicId, url: url.trim(), events }));
      }}
      onDone={onClose}
      onClose={onClose}
    >
      <TextField
        label={t("webhooks.url")}
        type="url"
        inputMode="url"
        placeholder="https://"
        value={url}
        onValue={setUrl}
        maxLength={LIMITS.webhooks.url}
        autoComplete="off"
      />
      <fieldset className="grid gap-1">
        <legend className="mb-1.5 text-sm font-medium">{t("webhooks.what")}</legend>
        {names.map((name) => (
          <label key={name} className="tap flex w-fit items-center gap-2">
            <input
              type="checkbox"
              className="size-4 accent-(--ink)"
              checked={chosen.includes(name)}
              onChange={({ target }) =>
                setChosen((before) =>
                  target.checked ? [...before, name] : before.filter((one) => one !== name),
                )
              }
            />
            {t(`webhooks.groups.${name}`)}
          </label>
        ))}
      </fieldset>
    </ConfirmDialog>
  );
}
