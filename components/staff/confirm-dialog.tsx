"use client";

import { type FormEvent, type ReactNode, useId, useState } from "react";
import { useWords } from "#words";
import { type Client, callApi } from "@/components/call-api";
import { Button, type ButtonTone } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { TextField } from "@/components/ui/field";
import { ErrorNote } from "@/components/ui/notes";
import { toast } from "@/components/ui/toast";

export interface ConfirmDialogProps {
  readonly title: string;
  readonly text?: string;
  /** Label of the button. */
  readonly confirm: string;
  readonly tone?: ButtonTone;
  /** Returns what is missing, or null; called before the action. */
  readonly missing?: () => string | null;
  /** Elements to show instead of the error message, by error code. */
  readonly answers?: Readonly<Record<string, ReactNode>>;
  readonly work: (client: Client) => Promise<unknown>;
  readonly onDone: () => void;
  readonly onClose: () => void;
  /** Toast after success. */
  readonly done?: string;
  readonly children?: ReactNode;
}

/** Confirms an action before it calls the API. After a failure it stays open with the error and what the user typed. */
export function ConfirmDialog(props: ConfirmDialogProps) {
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

export interface TypedConfirmationProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly error?: string | null;
}

/** A field in which the user types a name to confirm an action that can't be undone; see `isTyped`. */
export function TypedConfirmation({ onChange, ...rest }: TypedConfirmationProps) {
  return (
    <TextField
      {...rest}
      dir="auto"
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      onValue={onChange}
    />
  );
}

/** Returns whether the user typed the wanted text, ignoring differences in Unicode form and spaces. */
export function isTyped(typed: string, wanted: string): boolean {
  const plain = (text: string) => text.normalize("NFKC").replace(/\s+/g, " ").trim();
  return plain(typed) === plain(wanted);
}
