"use client";

import { Link2 } from "lucide-react";
import { useState } from "react";
import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field, Input } from "@/components/ui/field";
import { toast } from "@/components/ui/toast";

/** Shares or copies the URL of a path of this site. */
export function Share({ path, title }: { readonly path: string; readonly title: string }) {
  const { t } = useWords();
  const { share, asked } = useCopyLink();
  return (
    <>
      <Button size="sm" tone="quiet" onClick={() => void share(path, title)}>
        <Link2 className="size-4" aria-hidden />
        {t("common.copyLink")}
      </Button>
      {asked}
    </>
  );
}

/** Returns functions that share links, and a dialog to render for browsers that do not allow copying. */
export function useCopyLink() {
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
  /** Opens the share sheet of a phone; copies the URL elsewhere. */
  const share = async (path: string, title: string) => {
    if (!window.matchMedia("(pointer: coarse)").matches || !navigator.share) return copy(path);
    try {
      await navigator.share({ title, url: new URL(path, window.location.origin).href });
    } catch (error) {
      // Closing the share sheet is not an error.
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
