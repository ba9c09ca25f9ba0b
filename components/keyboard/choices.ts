import type { TopicListItem } from "@/lib/contract";
import type { Words } from "@/lib/i18n/words";

/** An entry of the palette. */
export interface Choice {
  readonly key: string;
  readonly label: string;
  /** What it is: a page, a topic. */
  readonly kind: string;
  /** Where it leads; without, it opens the list of keys. */
  readonly href?: string;
}

interface Reader {
  readonly isGuest: boolean;
  /** Topics they joined. */
  readonly topics: readonly Pick<TopicListItem, "id" | "title">[];
}

/** Returns everything the palette leads a reader to: their topics, then the pages. */
export function choicesOf({ t }: Words, { isGuest, topics }: Reader): Choice[] {
  const page = (href: string, label: string): Choice => ({
    key: href,
    href,
    label,
    kind: t("shortcuts.page"),
  });
  return [
    ...topics.map(({ id, title }) => ({
      key: id,
      href: `/topics/${id}`,
      label: title,
      kind: t("shortcuts.topic"),
    })),
    page("/", t("nav.home")),
    page("/topics", t("nav.explore")),
    page("/write", t("nav.write")),
    page("/topics/new", t("nav.newTopic")),
    page("/alerts", t("nav.alerts")),
    ...(isGuest
      ? [page("/sign-in", t("nav.signIn"))]
      : [page("/bookmarks", t("shortcuts.bookmarks")), page("/profile", t("shortcuts.profile"))]),
    page("/settings", t("shortcuts.settings")),
    { key: "keys", label: t("shortcuts.title"), kind: t("shortcuts.help") },
  ];
}

const plain = (text: string) => text.normalize("NFKC").toLowerCase();

/**
 * Returns the choices with what was typed in their label, those whose words begin with it first, and at the end a search
 * for it.
 */
export function matching(choices: readonly Choice[], typed: string, search: string): Choice[] {
  const wanted = plain(typed.trim());
  if (wanted === "") return [...choices];
  const found = choices.filter(({ label }) => plain(label).includes(wanted));
  const isFirst = ({ label }: Choice) => ` ${plain(label)}`.includes(` ${wanted}`);
  return [
    ...found.filter(isFirst),
    ...found.filter((choice) => !isFirst(choice)),
    { key: "search", label: search, kind: "", href: `/search?q=${encodeURIComponent(typed.trim())}` },
  ];
}
