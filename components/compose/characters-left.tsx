"use client";

import { useWords } from "#words";
import { cx } from "@/components/ui/cx";

interface CharactersLeftProps {
  readonly id: string;
  readonly left: number;
  readonly isNear: boolean;
  /** For a field whose form announces it while the reader types. */
  readonly role?: "status";
  readonly className: string;
}

/** Shows how many characters are left, near the limit. */
export function CharactersLeft({ id, left, isNear, role, className }: CharactersLeftProps) {
  const { t } = useWords();
  return (
    <p id={id} role={role} className={cx("tabular-nums", className, left < 0 && "font-medium text-seal")}>
      {isNear ? (left < 0 ? t("mention.tooMany", { n: -left }) : t("mention.left", { n: left })) : null}
    </p>
  );
}
