"use client";

import { type ReactNode, useState } from "react";
import { useWords } from "#words";
import { Dialog } from "@/components/ui/dialog";
import { Field, Input } from "@/components/ui/field";
import { toast } from "@/components/ui/toast";

export interface CopyLink {
  /** Copies the address of a path of this site. */
  readonly copy: (path: string) => Promise<void>;
  /** The phone's own share sheet where there is one, else a copy. */
  readonly share: (path: string, title: string) => Promise<void>;
  /** To be rendered: the link to mark, where the browser does not let us copy. */
  readonly asked: ReactNode;
}

export function useCopyLink(): CopyLink {
  const { t } = useWords();
  const [refused, setRefused] = useState<string | null>(null);
  const copy = async (path: string) => {
    const url = new URL(path, window.location.origin).href;
    try {
      await navigator.clipboard.writeText(url);
      toast({ text: t("post.shared") });
    } catch {
      setRefused(url);
    }
  };
  const share = async (path: string, title: string) => {
    if (!window.matchMedia("(pointer: coarse)").matches || !navigator.share) return copy(path);
    try {
      await navigator.share({ title, url: new URL(path, window.location.origin).href });
    } catch (error) {
      // Closing the share sheet rejects; there is nothing to tell.
      if (!(error instanceof DOMException && error.name === "AbortError")) await copy(path);
    }
  };
  const asked = refused ? (
    <Dialog open title={t("share.title")} onClose={() => setRefused(null)}>
      <p className="text-soft">{t("share.text")}</p>
      <Field label={t("share.link")}>
        {(control) => (
          <Input
            {...control}
            readOnly
            value={refused}
            className="font-mono text-sm"
            onFocus={(event) => event.target.select()}
          />
        )}
      </Field>
    </Dialog>
  ) : null;
  return { copy, share, asked };
}
