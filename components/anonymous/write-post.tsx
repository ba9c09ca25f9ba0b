"use client";

import { useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { TextAreaField, TextField } from "@/components/ui/field";
import { toast } from "@/components/ui/toast";
import type { WaitingPicture } from "@/lib/client/anonymous/store";
import { LIMITS } from "@/lib/contract/limits";
import { keepAct } from "./keep";
import { PicturesField } from "./pictures-field";
import { useVoice } from "./use-voice";
import { WhenField } from "./when-field";
import { writtenPost } from "./written";

export interface WritePostProps {
  readonly topicId: string;
  /** Who will read it. */
  readonly readers: string;
}

/**
 * Writes a post without a name. Nothing of it is sent before its moment: no draft, no look at similar posts, tags or names,
 * which would all carry the session.
 */
export function WritePost({ topicId, readers }: WritePostProps) {
  const { t } = useWords();
  const router = useRouter();
  const voice = useVoice(topicId);
  const [title, setTitle] = useState("");
  const [text, setText] = useState("");
  const [tags, setTags] = useState("");
  const [pictures, setPictures] = useState<readonly WaitingPicture[]>([]);
  const [isNow, setNow] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const act = writtenPost(topicId, { title, text, tags, pictures });
    if (!act) return setProblem(t(title.trim() ? "composer.emptyBody" : "composer.emptyTitle"));
    if (!(await keepAct(act, isNow))) return setProblem(t("anonymous.problems.failed"));
    toast({ text: t("anonymous.kept") });
    router.push(`/topics/${topicId}`);
  };
  return (
    <form onSubmit={(event) => void submit(event)} noValidate data-writing className="grid gap-4">
      <TextField
        label={t("composer.titleLabel")}
        value={title}
        onValue={setTitle}
        maxLength={LIMITS.post.title}
        dir="auto"
        autoComplete="off"
      />
      <TextAreaField
        label={t("anonymous.bodyLabel")}
        hint={t("anonymous.bodyHint")}
        value={text}
        onValue={setText}
        maxLength={LIMITS.post.html}
        rows={10}
        dir="auto"
      />
      <TextField
        label={t("anonymous.tags")}
        hint={t("anonymous.tagsHint")}
        value={tags}
        onValue={setTags}
        dir="auto"
        autoComplete="off"
      />
      <PicturesField pictures={pictures} onChange={setPictures} />
      <WhenField isNow={isNow} onChange={setNow} />
      <p className="text-sm text-soft">
        {readers} {voice.says} {t("anonymous.style")}
      </p>
      <p role="alert" className="text-sm text-seal empty:hidden">
        {problem}
      </p>
      <div>
        <Button type="submit" tone="primary" disabled={!voice.isReady}>
          {t("anonymous.post")}
        </Button>
      </div>
    </form>
  );
}
