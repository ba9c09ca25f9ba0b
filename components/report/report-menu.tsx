"use client";

import { MoreHorizontal } from "lucide-react";
import { useWords } from "#words";
import { Menu } from "@/components/ui/menu";
import type { ReportTarget } from "./target";
import { useReport } from "./use-report";

interface ReportMenuProps {
  readonly target: Extract<ReportTarget, { readonly kind: "topic" | "tag" }>;
}

/** The menu of a topic or a tag, for readers: report it. */
export function ReportMenu({ target }: ReportMenuProps) {
  const { t } = useWords();
  const { open, busy, dialog } = useReport(target);
  const label = target.kind === "topic" ? t("report.topic") : t("report.tag", { name: target.tag });
  return (
    <>
      <Menu
        label={t(`report.tools.${target.kind}`)}
        trigger={<MoreHorizontal className="size-5" aria-hidden />}
        items={[{ label, onSelect: open }]}
        busy={busy}
      />
      {dialog}
    </>
  );
}
