"use client";

import { type FormEvent, useState } from "react";
import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { TextAreaField } from "@/components/ui/field";
import { toast } from "@/components/ui/toast";
import { LIMITS } from "@/lib/contract/limits";
import { keepAct } from "./keep";
import { useVoice } from "./use-voice";
import { WhenField } from "./when-field";
import { writtenComment } from "./written";

export interface WriteCommentProps {
  readonly topicId: string;
  readonly postId: string;
  readonly parentId: string | null;
  readonly label: string;
  /** Called once it is kept. */
  readonly onKept: () => void;
}

/** Writes a comment or reply without a name. Nothing of it is sent before its moment. */
export function WriteComment({ topicId, postId, parentId, label, onKept }: WriteCommentProps) {
  const { t } = useWords();
  const voice = useVoice(topicId);
  const [text, setText] = useState("");
  const [isNow, setNow] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const act = writtenComment({ topicId, postId, parentId }, text);
    if (!act) return;
    if (!(await keepAct(act, isNow))) return setProblem(t("anonymous.problems.failed"));
    toast({ text: t("anonymous.kept") });
    setText("");
    onKept();
  };
  return (
    <form onSubmit={(event) => void submit(event)} noValidate className="grid gap-3">
      <TextAreaField
        label={label}
        error={problem}
        value={text}
        onValue={setText}
        maxLength={LIMITS.comment}
        rows={3}
        dir="auto"
      />
      <WhenField isNow={isNow} onChange={setNow} />
      <p className="text-sm text-soft">
        {voice.says} {t("anonymous.style")}
      </p>
      <div>
        <Button type="submit" size="sm" disabled={!voice.isReady || text.trim() === ""}>
          {t("anonymous.comment")}
        </Button>
      </div>
    </form>
  );
}
