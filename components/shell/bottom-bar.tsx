import { Compass, Home, PenLine, UserRound } from "lucide-react";
import { AlertBell } from "@/components/alerts/bell";
import * as en from "@/lib/i18n/en";
import { NavLink } from "./nav-link";

const icon = "size-5 shrink-0";

/** The phone's main navigation, within reach of a thumb. */
export function BottomBar({ signedIn, unread }: { readonly signedIn: boolean; readonly unread: number }) {
  return (
    <nav
      aria-label={en.nav.phone}
      className="fixed inset-x-0 bottom-0 z-40 grid grid-cols-5 border-t bg-paper pb-[env(safe-area-inset-bottom)] md:hidden"
    >
      <NavLink form="bar" href="/" label={en.nav.home} icon={<Home className={icon} aria-hidden />} />
      <NavLink
        form="bar"
        href="/topics"
        label={en.nav.explore}
        icon={<Compass className={icon} aria-hidden />}
      />
      <NavLink
        form="bar"
        href="/write"
        label={en.nav.write}
        icon={<PenLine className={icon} aria-hidden />}
      />
      <NavLink form="bar" href="/alerts" label={en.nav.alerts} icon={<AlertBell initial={unread} />} />
      <NavLink
        form="bar"
        href={signedIn ? "/profile" : "/sign-in"}
        label={signedIn ? en.nav.me : en.nav.signIn}
        icon={<UserRound className={icon} aria-hidden />}
      />
    </nav>
  );
}
