import { NavLink } from "@/components/shell/nav-link";
import { getWords } from "@/lib/i18n/server";
import { openWork } from "../_data/desk";

/** A shield; drawn here, since the page's sprite is on every page and few readers have a role. */
function Shield({ count, words }: { readonly count: number; readonly words: string }) {
  return (
    <span className="relative shrink-0">
      <svg viewBox="0 0 24 24" aria-hidden="true" className="icon size-5">
        <path d="M20 13c0 5-3.5 7.5-7.7 8.9a1 1 0 0 1-.6 0C7.5 20.500 4 18 4 13V6a1 1 0 0 1 1-1c2 0 4.500-1.200 6.200-2.700a1.200 1.200 0 0 1 1.500 0C14.500 3.800 17 5 19 5a1 1 0 0 1 1 1z" />
      </svg>
      {count > 0 ? (
        <span className="absolute -end-2 -top-1.5 min-w-4 rounded-full bg-ink px-1 text-center text-xs leading-4 font-semibold text-paper tabular-nums">
          <span aria-hidden="true">{count > 99 ? "99+" : count}</span>
          <span className="sr-only">{words}</span>
        </span>
      ) : null}
    </span>
  );
}

/** Links of the rail to the queues of those who have a role for one, with the number of open cases. */
export async function WorkLinks() {
  const { t } = await getWords();
  const work = await openWork();
  if (!work) return null;
  const places = [
    { href: "/moderation", name: t("moderation.title"), count: work.staff },
    { href: "/desk", name: t("desk.short"), count: work.desk },
  ];
  return places.map(({ href, name, count }) =>
    count === null ? null : (
      <NavLink
        key={href}
        form="rail"
        href={href}
        prefetch={false}
        label={name}
        icon={<Shield count={count} words={t("moderation.waiting", { n: count })} />}
      />
    ),
  );
}
