"use client";

import { useWords } from "#words";
import { Note } from "@/components/ui/notes";
import { useMoment } from "@/components/ui/use-moment";

/** Tells a visitor that they are banned. @param until ISO 8601; null for an unlimited ban */
export function BanNote({ until }: { readonly until: string | null }) {
  const { t } = useWords();
  const when = useMoment(until);
  return (
    <div role="alert">
      <Note tone="warning" title={t("membership.bannedTitle")}>
        {when ? t("membership.bannedUntil", { when }) : t("membership.banned")}
      </Note>
    </div>
  );
}
