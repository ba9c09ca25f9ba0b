"use client";

import { type FormEvent, type ReactNode, useId, useState } from "react";
import { useWords } from "#words";
import { type Client, callApi } from "@/components/call-api";
import { Button, type ButtonTone } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { ErrorNote } from "@/components/ui/notes";
import { toast } from "@/components/ui/toast";

export interface ActDialogProps {
  readonly title: string;
  /** What it means. */
  readonly text?: string;
  /** Word on the button that does it. */
  readonly confirm: string;
  readonly tone?: ButtonTone;
  /** What is missing, or null; asked before anything is done. */
  readonly missing?: () => string | null;
  /** Shown instead of its sentence for a refusal, by its code. */
  readonly answers?: Readonly<Record<string, ReactNode>>;
  readonly work: (client: Client) => Promise<unknown>;
  readonly onDone: () => void;
  readonly onClose: () => void;
  /** Said when it is done. */
  readonly done?: string;
  readonly children?: ReactNode;
}

/**
 * Something that is confirmed before it is done. What was typed stays when the server refuses or the network does not
 * answer, with the sentence that says why.
 */
export function ActDialog(props: ActDialogProps) {
  const { title, text, confirm, tone = "danger", missing, answers, work, onDone, onClose, done } = props;
  const words = useWords();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [refused, setRefused] = useState<ReactNode>(null);
  const id = useId();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const lacks = missing?.();
    if (lacks) return setProblem(lacks);
    setBusy(true);
    setProblem(null);
    setRefused(null);
    const answer = await callApi(words, work);
    setBusy(false);
    if (answer.ok) {
      if (done) toast({ text: done });
      onDone();
      return;
    }
    const instead = answer.code === null ? undefined : answers?.[answer.code];
    if (instead) setRefused(instead);
    else setProblem(answer.sentence);
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      footer={
        <>
          <Button tone="quiet" onClick={onClose}>
            {words.t("common.cancel")}
          </Button>
          <Button type="submit" form={id} tone={tone} busy={busy}>
            {confirm}
          </Button>
        </>
      }
    >
      {text ? <p className="text-soft">{text}</p> : null}
      <form id={id} onSubmit={(event) => void submit(event)} noValidate className="grid gap-4">
        {props.children}
      </form>
      {problem ? <ErrorNote>{problem}</ErrorNote> : null}
      {refused}
    </Dialog>
  );
}
