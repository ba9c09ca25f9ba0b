import Link from "next/link";
import { useWords } from "#words";
import { personPath } from "@/lib/client/places";
import type { AnonymousAuthor } from "@/lib/contract/anonymous-author";
import type { Words } from "@/lib/i18n/words";
import { cx } from "./cx";

/** Nickname in the API of members who deleted their account. Brackets are not allowed in nicknames. */
const WITHDRAWN = "[withdrawn]";

/** Nickname in the API of whoever writes anonymously, which nobody can take. */
const ANONYMOUS = "Anonymous";

/** Whether the API shows a member who deleted their account under this name. */
export function isWithdrawn(nickname: string): boolean {
  return nickname === WITHDRAWN;
}

/** Returns the name of a member for use in a sentence. */
export function nameOf(
  { t }: Pick<Words, "t">,
  nickname: string,
  anonymous: AnonymousAuthor | null = null,
): string {
  if (anonymous) return anonymous.pseudonym;
  if (nickname === ANONYMOUS) return t("common.nobody");
  return isWithdrawn(nickname) ? t("common.withdrawn") : nickname;
}

export interface MemberLinkProps {
  readonly of: string;
  /** Of whom nobody knows more than this. */
  readonly anonymous?: AnonymousAuthor | null;
  readonly className?: string;
}

/** A member's name, which leads to their page, or a note that they deleted their account, or wrote anonymously. */
export function MemberLink({ of, anonymous, className }: MemberLinkProps) {
  const words = useWords();
  if (anonymous) {
    const { pseudonym, crowd: n } = anonymous;
    return <span className={className}>{words.t("common.anonymous", { pseudonym, n })}</span>;
  }
  if (isWithdrawn(of) || of === ANONYMOUS)
    return <span className={cx(className, "italic")}>{nameOf(words, of)}</span>;
  return (
    <Link href={personPath(of)} prefetch={false} className={cx(className, "reach hover:underline")}>
      {of}
    </Link>
  );
}
