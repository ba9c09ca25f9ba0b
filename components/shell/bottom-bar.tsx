import { Compass, Home, PenLine, UserRound } from "lucide-react";
import { useWords } from "#words";
import { NotificationBell } from "@/components/notifications/bell";
import { NavLink } from "./nav-link";

const icon = "size-5 shrink-0";

/** The main navigation on phones. */
export function BottomBar({ signedIn, unread }: { readonly signedIn: boolean; readonly unread: number }) {
  const { t } = useWords();
  return (
    <nav
      aria-label={t("nav.phone")}
      className="fixed inset-x-0 bottom-0 z-40 grid grid-cols-5 border-t bg-paper ps-[env(safe-area-inset-left)] pe-[env(safe-area-inset-right)] pb-[env(safe-area-inset-bottom)] md:hidden"
    >
      <NavLink form="bar" href="/" label={t("nav.home")} icon={<Home className={icon} aria-hidden />} />
      <NavLink
        form="bar"
        href="/topics"
        label={t("nav.explore")}
        icon={<Compass className={icon} aria-hidden />}
      />
      <NavLink
        form="bar"
        href="/write"
        prefetch={false}
        label={t("nav.write")}
        icon={<PenLine className={icon} aria-hidden />}
      />
      <NavLink
        form="bar"
        href="/alerts"
        label={t("nav.alerts")}
        icon={<NotificationBell initial={unread} />}
      />
      <NavLink
        form="bar"
        href={signedIn ? "/profile" : "/sign-in"}
        prefetch={false}
        label={signedIn ? t("nav.me") : t("nav.signIn")}
        icon={<UserRound className={icon} aria-hidden />}
      />
    </nav>
  );
}
