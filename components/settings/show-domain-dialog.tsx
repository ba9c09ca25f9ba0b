"use client";

import { useState } from "react";
import { useWords } from "#words";
import { ConfirmDialog } from "@/components/staff/confirm-dialog";
import { Field, Select } from "@/components/ui/field";
import { RadioCards } from "@/components/ui/radio-cards";
import type { contract, ResponseBody } from "@/lib/contract";

/** Topics that the preview names. */
const NAMED = 8;

export interface ShowDomainDialogProps {
  readonly preview: ResponseBody<typeof contract.profile.previewDomainBadge>;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Shows a domain beside the member's name, after a preview of every place where it will appear. */
export function ShowDomainDialog({ preview: { domain, topics }, onDone, onClose }: ShowDomainDialogProps) {
  const { t } = useWords();
  const [from, setFrom] = useState<"new" | "all">("new");
  const [topicId, setTopicId] = useState("");
  const members = topics.filter(({ isMember }) => isMember);
  const onlyNew = from === "new";
  const chosen = topicId === "" ? topics : topics.filter((topic) => topic.topicId === topicId);
  const shown = onlyNew ? chosen.filter(({ isMember }) => isMember) : chosen;
  const written = chosen.reduce((sum, { posts, comments }) => sum + posts + comments, 0);
  return (
    <ConfirmDialog
      title={t("showDomain.title", { domain })}
      text={t("showDomain.text", { domain })}
      confirm={t("settings.badgeShow", { domain })}
      tone="primary"
      done={t("settings.badgeShowing", { domain })}
      work={({ api, contract }) =>
        api.call(contract.profile.addDomainBadge, { topicId: topicId || undefined, onlyNew })
      }
      onDone={onDone}
      onClose={onClose}
    >
      <Field label={t("showDomain.where")}>
        {(control) => (
          <Select {...control} value={topicId} onChange={(event) => setTopicId(event.target.value)}>
            <option value="">{t("showDomain.everywhere")}</option>
            {members.map((topic) => (
              <option key={topic.topicId} value={topic.topicId}>
                {topic.title}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <RadioCards
        legend={t("showDomain.beside")}
        name="from"
        value={from}
        onChange={setFrom}
        options={[
          { value: "new", title: t("showDomain.new"), description: t("showDomain.newHint") },
          { value: "all", title: t("showDomain.all"), description: t("showDomain.allHint", { n: written }) },
        ]}
      />
      <div role="status" className="grid gap-2 rounded-control bg-wash px-3 py-2 text-sm">
        <p className="font-medium">{t("showDomain.places")}</p>
        <ul className="grid gap-1">
          {topicId === "" ? <li>{t("showDomain.page")}</li> : null}
          {shown.slice(0, NAMED).map((topic) => (
            <li key={topic.topicId}>
              <span dir="auto" className="font-medium">
                {topic.title ?? t("showDomain.left")}
              </span>{" "}
              ({t(topic.visibility === "public" ? "showDomain.anyone" : "showDomain.membersOnly")}
              {onlyNew ? null : `, ${t("showDomain.written", { n: topic.posts + topic.comments })}`})
            </li>
          ))}
          {shown.length > NAMED ? <li>{t("showDomain.more", { n: shown.length - NAMED })}</li> : null}
          {topicId === "" ? <li>{t("showDomain.later")}</li> : null}
        </ul>
      </div>
    </ConfirmDialog>
  );
}
