"use client";

import { useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import { useWords } from "#words";
import { callApi } from "@/components/call-api";
import { Button } from "@/components/ui/button";
import { Field, Input, Textarea } from "@/components/ui/field";
import { ErrorNote } from "@/components/ui/notes";
import { toast } from "@/components/ui/toast";
import type { Topic } from "@/lib/contract";
import { LIMITS } from "@/lib/contract/limits";
import { PictureField } from "./picture-field";

export interface EditTopicFormProps {
  readonly topic: Pick<Topic, "id" | "title" | "description" | "image">;
}

/** Title, description and picture of a topic. Only what was changed is sent: a colleague's change of the rest stays. */
export function EditTopicForm({ topic }: EditTopicFormProps) {
  const words = useWords();
  const { t } = words;
  const router = useRouter();
  const [title, setTitle] = useState(topic.title);
  const [description, setDescription] = useState(topic.description ?? "");
  const [image, setImage] = useState(topic.image);
  const [noTitle, setNoTitle] = useState(false);
  const [uploading, setUploading] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const changed = {
    ...(title.trim() === topic.title ? {} : { title: title.trim() }),
    ...(description.trim() === (topic.description ?? "") ? {} : { description: description.trim() || null }),
    ...(image === topic.image ? {} : { image }),
  };
  const isChanged = Object.keys(changed).length > 0;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setNoTitle(!title.trim());
    if (!title.trim() || !isChanged) return;
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
      <Field label={t("newTopic.name")} error={noTitle ? t("newTopic.emptyName") : null}>
        {(control) => (
          <Input
            {...control}
            dir="auto"
            maxLength={LIMITS.topic.title}
            value={title}
            onChange={(event) => setTitle(event.target.value)}
          />
        )}
      </Field>
      <Field label={t("newTopic.description")} hint={t("newTopic.descriptionHint")}>
        {(control) => (
          <Textarea
            {...control}
            dir="auto"
            maxLength={LIMITS.topic.description}
            value={description}
            onChange={(event) => setDescription(event.target.value)}
          />
        )}
      </Field>
      <PictureField value={image} onChange={setImage} onBusy={setUploading} />
      {problem ? <ErrorNote>{problem}</ErrorNote> : null}
      <div>
        <Button type="submit" tone="primary" busy={busy} disabled={!isChanged || uploading}>
          {t("editTopic.save")}
        </Button>
      </div>
    </form>
  );
}
