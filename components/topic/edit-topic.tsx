"use client";

import { useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import { useWords } from "#words";
import { callApi } from "@/components/call-api";
import { Panel } from "@/components/shell/panel";
import { ConfirmDialog, isTyped, TypedConfirmation } from "@/components/staff/confirm-dialog";
import { Button } from "@/components/ui/button";
import { TextAreaField, TextField } from "@/components/ui/field";
import { ErrorNote } from "@/components/ui/notes";
import { toast } from "@/components/ui/toast";
import type { Topic } from "@/lib/contract";
import { LIMITS } from "@/lib/contract/limits";
import { PictureField } from "./picture-field";
import { DemandFields, type Demands, wordsOf, wordsProblem } from "./topic-demands";

export interface EditTopicFormProps {
  readonly topic: Pick<
    Topic,
    | "id"
    | "title"
    | "description"
    | "image"
    | "banner"
    | "proofType"
    | "rules"
    | "reproveDays"
    | "slowModeSeconds"
    | "linksAfterPosts"
    | "anonymous"
  >;
  readonly reviewWords: readonly string[];
}

/** Edits a topic: how it looks, and what it asks of its members. Sends only changed fields, to keep others' changes of the rest. */
export function EditTopicForm({ topic, reviewWords }: EditTopicFormProps) {
  const words = useWords();
  const { t } = words;
  const router = useRouter();
  const [title, setTitle] = useState(topic.title);
  const [description, setDescription] = useState(topic.description ?? "");
  const [image, setImage] = useState(topic.image);
  const [banner, setBanner] = useState(topic.banner);
  const [demands, setDemands] = useState<Demands>(() => ({
    rules: topic.rules ?? "",
    reproveDays: topic.reproveDays,
    slowModeSeconds: topic.slowModeSeconds,
    linksAfterPosts: topic.linksAfterPosts,
    anonymous: topic.anonymous,
    words: reviewWords.join("\n"),
  }));
  const [noTitle, setNoTitle] = useState(false);
  const [uploading, setUploading] = useState({ picture: false, banner: false });
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const changed = {
    ...(title.trim() === topic.title ? {} : { title: title.trim() }),
    ...(description.trim() === (topic.description ?? "") ? {} : { description: description.trim() || null }),
    ...(image === topic.image ? {} : { image }),
    ...(banner === topic.banner ? {} : { banner }),
    ...changedDemands(demands, topic, reviewWords),
  };
  const isChanged = Object.keys(changed).length > 0;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setNoTitle(!title.trim());
    if (!title.trim() || !isChanged || wordsProblem(demands.words)) return;
    setBusy(true);
    setProblem(null);
    const answer = await callApi(words, ({ api, contract }) =>
      api.call(contract.topics.update, { topicId: topic.id, ...changed }),
    );
    setBusy(false);
    if (!answer.ok) return setProblem(answer.sentence);
    toast({ text: t("editTopic.saved") });
    router.refresh();
  };
  return (
    <form onSubmit={(event) => void submit(event)} noValidate className="grid gap-6">
      <TextField
        label={t("newTopic.name")}
        error={noTitle ? t("newTopic.emptyName") : null}
        dir="auto"
        maxLength={LIMITS.topic.title}
        value={title}
        onValue={setTitle}
      />
      <TextAreaField
        label={t("newTopic.description")}
        hint={t("newTopic.descriptionHint")}
        dir="auto"
        maxLength={LIMITS.topic.description}
        value={description}
        onValue={setDescription}
      />
      <PictureField
        value={image}
        onChange={setImage}
        onBusy={(picture) => setUploading((known) => ({ ...known, picture }))}
      />
      <PictureField
        kind="banner"
        value={banner}
        onChange={setBanner}
        onBusy={(banner) => setUploading((known) => ({ ...known, banner }))}
      />
      <DemandFields
        demands={demands}
        set={(change) => setDemands((known) => ({ ...known, ...change }))}
        isGated={topic.proofType !== "none"}
      />
      {problem ? <ErrorNote>{problem}</ErrorNote> : null}
      <div>
        <Button
          type="submit"
          tone="primary"
          busy={busy}
          disabled={!isChanged || uploading.picture || uploading.banner}
        >
          {t("common.saveChanges")}
        </Button>
      </div>
    </form>
  );
}

/** Returns those demands that differ from the topic's. */
function changedDemands(
  { rules, reproveDays, slowModeSeconds, linksAfterPosts, anonymous, words }: Demands,
  topic: EditTopicFormProps["topic"],
  reviewWords: readonly string[],
) {
  const list = wordsOf(words);
  return {
    ...(rules.trim() === (topic.rules ?? "") ? {} : { rules: rules.trim() || null }),
    ...(reproveDays === topic.reproveDays ? {} : { reproveDays }),
    ...(slowModeSeconds === topic.slowModeSeconds ? {} : { slowModeSeconds }),
    ...(linksAfterPosts === topic.linksAfterPosts ? {} : { linksAfterPosts }),
    ...(anonymous === topic.anonymous ? {} : { anonymous }),
    ...(list.join("\n") === reviewWords.join("\n") ? {} : { reviewWords: list }),
  };
}

export interface DeleteTopicProps {
  readonly topic: Pick<Topic, "id" | "title" | "postCount" | "memberCount">;
}

/** Deletes a topic, after the user has read what is lost and typed its title. */
export function DeleteTopic({ topic }: DeleteTopicProps) {
  const { t } = useWords();
  const router = useRouter();
  const [open, setOpen] = useState(false);
  const [typed, setTyped] = useState("");
  const { title } = topic;
  const lost = t("editTopic.deleteText", { posts: topic.postCount, members: topic.memberCount });
  return (
    <Panel title={t("editTopic.delete")}>
      <p className="text-sm text-soft">{lost}</p>
      <div>
        <Button tone="danger" onClick={() => setOpen(true)}>
          {t("editTopic.delete")}
        </Button>
      </div>
      {open ? (
        <ConfirmDialog
          title={t("editTopic.delete")}
          text={lost}
          confirm={t("editTopic.deleteConfirm")}
          missing={() => (isTyped(typed, title) ? null : t("editTopic.deleteType", { title }))}
          work={({ api, contract }) => api.call(contract.topics.delete, { topicId: topic.id })}
          done={t("editTopic.deleted")}
          onDone={() => {
            router.push("/topics");
            router.refresh();
          }}
          onClose={() => setOpen(false)}
        >
          <TypedConfirmation label={t("editTopic.deleteType", { title })} value={typed} onChange={setTyped} />
        </ConfirmDialog>
      ) : null}
    </Panel>
  );
}
