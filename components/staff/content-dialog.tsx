"use client";

import { useState } from "react";
import type { Client } from "@/components/call-api";
import { ConfirmDialog } from "./confirm-dialog";
import { hideContent, removeContent, type Target } from "./content-calls";
import { ReasonField, reasonOf } from "./reason-field";

export interface ContentDialogProps {
  readonly act: "hide" | "remove";
  readonly target: Target;
  readonly title: string;
  readonly text: string;
  readonly confirm: string;
  /** Called after the action succeeded. */
  readonly after?: (client: Client, reason: string | undefined) => Promise<unknown>;
  readonly done: string;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Hides or deletes a post or comment, with a reason where the moderation log has one. */
export function ContentDialog(props: ContentDialogProps) {
  const { act, target, after } = props;
  const [reason, setReason] = useState("");
  return (
    <ConfirmDialog
      title={props.title}
      text={props.text}
      confirm={props.confirm}
      work={async (client) => {
        if (act === "hide") await hideContent(client, target, true, reasonOf(reason));
        else await removeContent(client, target);
        await after?.(client, reasonOf(reason));
      }}
      done={props.done}
      onDone={props.onDone}
      onClose={props.onClose}
    >
      {act === "hide" || after ? <ReasonField value={reason} onChange={setReason} /> : null}
    </ConfirmDialog>
  );
}
