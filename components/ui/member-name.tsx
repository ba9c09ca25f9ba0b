import { useWords } from "#words";
import type { Words } from "@/lib/i18n/words";
import { cx } from "./cx";

/** What the API calls members who deleted their account; no nickname can be spelled like it. */
const withdrawn = "[withdrawn]";

/** A member's name as a sentence may hold it. */
export function nameOf({ t }: Pick<Words, "t">, nickname: string): string {
  return nickname === withdrawn ? t("common.withdrawn") : nickname;
}

export interface MemberNameProps {
  readonly of: string;
  readonly className?: string;
}

/** A member's name; of somebody who deleted their account, that they did. */
export function MemberName({ of, className }: MemberNameProps) {
  const words = useWords();
  return <span className={cx(className, of === withdrawn && "italic")}>{nameOf(words, of)}</span>;
}
