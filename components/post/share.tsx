"use client";

import { Link2 } from "lucide-react";
import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { useCopyLink } from "./copy-link";

export interface ShareProps {
  readonly path: string;
  readonly title: string;
}

/** Copies an address of this site, or hands it to the phone's own share sheet. */
export function Share({ path, title }: ShareProps) {
  const { t } = useWords();
  const { share, asked } = useCopyLink();
  return (
    <>
      <Button size="sm" tone="quiet" onClick={() => void share(path, title)}>
        <Link2 className="size-4" aria-hidden />
        {t("post.share")}
      </Button>
      {asked}
    </>
  );
}
