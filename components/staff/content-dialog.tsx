"use client";

import { useState } from "react";
import type { Client } from "@/components/call-api";
import { ConfirmDialog, type ConfirmDialogProps } from "./confirm-dialog";
import { hideContent, removeContent, type Target } from "./content-calls";
import { ReasonField, reasonOf } from "./reason-field";

export interface ContentDialogProps extends Omit<ConfirmDialogProps, "work"> {
  readonly act: "hide" | "remove";
  readonly target: Target;
  /** Called after the action succeeded. */
  readonly after?: (client: Client, reason: string | undefined) => Promise<unknown>;
}

/** Hides or deletes a post or comment, with a reason where the moderation log has one. */
export function ContentDialog({ act, target, after, ...rest }: ContentDialogProps) {
  const [reason, setReason] = useState("");
  return (
    <ConfirmDialog
      {...rest}
      work={async (client) => {
        if (act === "hide") await hideContent(client, target, true, reasonOf(reason));
        else await removeContent(client, target, reasonOf(reason));
        await after?.(client, reasonOf(reason));
      }}
    >
      {act === "hide" || after ? <ReasonField value={reason} onChange={setReason} /> : null}
    </ConfirmDialog>
  );
}
