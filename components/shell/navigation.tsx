"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";
import type { ReactNode } from "react";
import { useWords } from "#words";
import { NotificationBell } from "@/components/notifications/bell";
import { SealMark } from "@/components/proof/seal-mark";
import { Title } from "@/components/text/title";
import { ButtonLink } from "@/components/ui/button";
import { Avatar } from "@/components/ui/identicon";
import type { SpriteIcon } from "@/components/ui/sprite";
import { SpriteUse } from "@/components/ui/sprite-use";
import { NavLink } from "./nav-link";

/*
 * Client components: a page brings what they show, and not every class of every link a second time.
 */

interface ShellViewer {
  readonly userId: string;
  readonly nickname: string;
  readonly image: string | null;
}

/** A topic as the rail shows it. */
export interface RailTopic {
  readonly id: string;
  readonly title: string;
  readonly initial: string;
  /** How much is new in it. */
  readonly count: ReactNode;
}

export interface RailProps {
  readonly viewer: ShellViewer | null;
  readonly topics: readonly RailTopic[];
  readonly unread: number;
  /** Name of the list of bookmarks, whose group of sentences few pages bring. */
  readonly bookmarks: string;
  /** Links of those who have a role on the site or in a topic. */
  readonly work: ReactNode;
}

const icon = (name: SpriteIcon) => <SpriteUse icon={name} className="size-5" />;

/** The pages that the navigations link to. */
function usePlaces(unread: number) {
  const { t } = useWords();
  return {
    home: { href: "/", label: t("nav.home"), icon: icon("home") },
    explore: { href: "/topics", label: t("nav.explore"), icon: icon("explore") },
    write: {
      href: "/write",
      label: t("nav.write"),
      icon: icon("write"),
      prefetch: false,
    },
    search: { href: "/search", label: t("nav.search"), icon: icon("search") },
    notifications: { href: "/alerts", label: t("nav.alerts"), icon: <NotificationBell initial={unread} /> },
  } as const;
}

/** The left column on windows from 720 px: brand, search, navigation, topics, profile. */
export function Rail({ viewer, topics, unread, bookmarks, work }: RailProps) {
  const { t } = useWords();
  const places = usePlaces(unread);
  return (
    <header className="sticky top-0 hidden h-dvh flex-col gap-4 overflow-y-auto px-2 py-5 md:flex lg:px-3">
      <div className="px-2">
        <span className="lg:hidden">
          <Brand short />
        </span>
        <span className="hidden lg:inline">
          <Brand />
        </span>
      </div>
      <search className="hidden lg:block">
        <form action="/search" className="relative">
          <SpriteUse icon="search" className="pointer-events-none absolute start-3 top-3 size-4 text-soft" />
          <input
            type="search"
            name="q"
            data-search
            aria-keyshortcuts="/"
            aria-label={t("nav.search")}
            placeholder={t("nav.searchPlaceholder")}
            className="ease h-10 w-full rounded-control border border-line bg-sheet ps-9 pe-3 placeholder:text-soft hover:border-line-strong"
          />
        </form>
      </search>
      <nav aria-label={t("nav.main")} className="grid gap-0.5">
        <NavLink form="rail" {...places.home} />
        <NavLink form="rail" {...places.explore} />
        <div className="lg:hidden">
          <NavLink form="rail" {...places.search} />
        </div>
        <NavLink form="rail" {...places.write} />
        <NavLink form="rail" {...places.notifications} />
        {viewer ? <NavLink form="rail" href="/bookmarks" label={bookmarks} icon={icon("bookmark")} /> : null}
        {work}
      </nav>
      <MyTopics topics={topics} />
      <div className="mt-auto">
        {viewer ? (
          <NavLink
            form="rail"
            href="/profile"
            label={viewer.nickname}
            icon={<Avatar userId={viewer.userId} image={viewer.image} size="sm" />}
          />
        ) : (
          <>
            <div className="hidden lg:grid">
              <ButtonLink href="/sign-in" prefetch={false} tone="plain">
                {t("nav.signIn")}
              </ButtonLink>
            </div>
            <div className="lg:hidden">
              <NavLink
                form="rail"
                href="/sign-in"
                prefetch={false}
                label={t("nav.signIn")}
                icon={<Avatar userId={null} size="sm" />}
              />
            </div>
          </>
        )}
      </div>
    </header>
  );
}

function MyTopics({ topics }: Pick<RailProps, "topics">) {
  const { t } = useWords();
  const path = usePathname();
  return (
    <section aria-label={t("nav.myTopics")} className="hidden min-h-0 gap-1 lg:grid">
      <div className="flex items-center justify-between px-3">
        <h2 className="text-xs font-semibold text-soft">{t("nav.myTopics")}</h2>
        <Link
          href="/topics/new"
          prefetch={false}
          aria-label={t("nav.newTopic")}
          title={t("nav.newTopic")}
          className="ease tap inline-flex size-7 items-center justify-center rounded-control text-soft hover:bg-wash hover:text-ink"
        >
          <SpriteUse icon="plus" />
        </Link>
      </div>
      {topics.length === 0 ? (
        <p className="px-3 text-sm text-soft">{t("nav.noTopics")}</p>
      ) : (
        <ul className="grid gap-0.5">
          {topics.map((topic) => (
            <li key={topic.id}>
              <Link
                href={`/topics/${topic.id}`}
                aria-current={path.startsWith(`/topics/${topic.id}`) ? "page" : undefined}
                className="ease rail-topic"
              >
                <span aria-hidden="true">{topic.initial}</span>
                <span>
                  <Title of={topic.title} />
                </span>
                {topic.count}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** The main navigation on phones. */
export function BottomBar({ signedIn, unread }: { readonly signedIn: boolean; readonly unread: number }) {
  const { t } = useWords();
  const places = usePlaces(unread);
  return (
    <nav
      aria-label={t("nav.phone")}
      className="bottom-bar fixed inset-x-0 bottom-0 z-40 grid grid-cols-5 border-t bg-paper ps-[env(safe-area-inset-left)] pe-[env(safe-area-inset-right)] pb-[env(safe-area-inset-bottom)] md:hidden"
    >
      <NavLink form="bar" {...places.home} />
      <NavLink form="bar" {...places.explore} />
      <NavLink form="bar" {...places.write} />
      <NavLink form="bar" {...places.notifications} />
      <NavLink
        form="bar"
        href={signedIn ? "/profile" : "/sign-in"}
        prefetch={false}
        label={signedIn ? t("nav.me") : t("nav.signIn")}
        icon={icon("person")}
      />
    </nav>
  );
}

/** The name and seal of the site, which link to the home page. */
export function Brand({ short }: { readonly short?: boolean }) {
  const { t } = useWords();
  return (
    <Link
      href="/"
      className="tap inline-flex items-center gap-2 rounded-control font-serif text-xl font-semibold"
      aria-label={t("common.name")}
    >
      <SealMark kind="person" size="sm" className="size-7" />
      {short ? null : <span>{t("common.name")}</span>}
    </Link>
  );
}
