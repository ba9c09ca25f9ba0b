"use client";

import { Link2 } from "lucide-react";
import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { toast } from "@/components/ui/toast";

/** Copies an address of this site, or hands it to the phone's own share sheet. */
export function Share({
  path,
  label,
  title,
}: {
  readonly path: string;
  readonly label?: string;
  readonly title: string;
}) {
  const { t } = useWords();
  const share = async () => {
    const url = new URL(path, window.location.origin).href;
    if (window.matchMedia("(pointer: coarse)").matches && navigator.share) {
      // Closing the share sheet rejects; there is nothing to tell.
      await navigator.share({ title, url }).catch(() => undefined);
      return;
    }
    await navigator.clipboard.writeText(url);
    toast({ text: t("post.shared") });
  };
  return (
    <Button size="sm" tone="quiet" onClick={share}>
      <Link2 className="size-4" aria-hidden />
      {label ?? t("post.share")}
    </Button>
  );
}
