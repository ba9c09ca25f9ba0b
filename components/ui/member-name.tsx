import { useWords } from "#words";
import type { Words } from "@/lib/i18n/words";
import { cx } from "./cx";

/** Nickname in the API of members who deleted their account. Brackets are not allowed in nicknames. */
const WITHDRAWN = "[withdrawn]";

/** Whether the API shows a member who deleted their account under this name. */
export function isWithdrawn(nickname: string): boolean {
  return nickname === WITHDRAWN;
}

/** Returns the name of a member for use in a sentence. */
export function nameOf({ t }: Pick<Words, "t">, nickname: string): string {
  return isWithdrawn(nickname) ? t("common.withdrawn") : nickname;
}

export interface MemberNameProps {
  readonly of: string;
  readonly className?: string;
}

/** A member's name, or a note that they deleted their account. */
export function MemberName({ of, className }: MemberNameProps) {
  const words = useWords();
  return <span className={cx(className, isWithdrawn(of) && "italic")}>{nameOf(words, of)}</span>;
}
