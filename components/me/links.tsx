import {
  Bookmark,
  CalendarClock,
  ChevronRight,
  FileText,
  Link2,
  type LucideIcon,
  Settings,
  Shield,
  ThumbsUp,
} from "lucide-react";
import Link from "next/link";
import { useWords } from "#words";
import { Tabs } from "@/components/ui/tabs";

/** Paths of the member's own lists of posts. */
export const ownPaths = {
  posts: "/my/posts",
  bookmarks: "/bookmarks",
  likes: "/likes",
  records: "/profile/records",
} as const;
export type OwnPath = keyof typeof ownPaths;

const lists: readonly { readonly name: OwnPath; readonly Icon: LucideIcon }[] = [
  { name: "posts", Icon: FileText },
  { name: "bookmarks", Icon: Bookmark },
  { name: "likes", Icon: ThumbsUp },
  { name: "records", Icon: Link2 },
];

/** Tabs between the member's own lists of posts. */
export function OwnTabs({ current }: { readonly current: OwnPath }) {
  const { t } = useWords();
  return (
    <Tabs
      label={t("me.tabs")}
      tabs={lists.map(({ name }) => ({
        href: ownPaths[name],
        label: t(`me.lists.${name}`),
        current: name === current,
      }))}
    />
  );
}

export interface MyLinksProps {
  /** Open cases of the queues that the member works on; null without a role for one. */
  readonly work: { readonly desk: number | null; readonly staff: number | null } | null;
}

/** Links from the profile to the member's other pages. */
export function MyLinks({ work }: MyLinksProps) {
  const { t } = useWords();
  const queues = [
    { href: "/moderation", label: t("moderation.title"), open: work?.staff ?? null },
    { href: "/desk", label: t("desk.title"), open: work?.desk ?? null },
  ].flatMap(({ open, ...link }) =>
    open === null ? [] : { ...link, hint: t("moderation.waiting", { n: open }), Icon: Shield },
  );
  const links: readonly { href: string; label: string; hint?: string; Icon: LucideIcon }[] = [
    ...lists.map(({ name, Icon }) => ({ href: ownPaths[name], label: t(`me.lists.${name}`), Icon })),
    { href: "/scheduled", label: t("me.scheduled"), Icon: CalendarClock },
    ...queues,
    { href: "/settings", label: t("settings.title"), hint: t("me.settingsHint"), Icon: Settings },
  ];
  return (
    <nav aria-label={t("me.links")}>
      <ul className="divide-y overflow-hidden rounded-sheet border bg-sheet">
        {links.map(({ href, label, hint, Icon }) => (
          <li key={href} className="ease relative flex min-h-12 items-center gap-3 px-4 py-2 hover:bg-wash">
            <Icon className="size-5 shrink-0 text-soft" aria-hidden />
            <span className="grid min-w-0 flex-1">
              <Link href={href} prefetch={false} className="stretched font-medium">
                {label}
              </Link>
              {hint ? <span className="text-sm text-soft">{hint}</span> : null}
            </span>
            <ChevronRight className="size-4 shrink-0 text-soft" aria-hidden />
          </li>
        ))}
      </ul>
    </nav>
  );
}
