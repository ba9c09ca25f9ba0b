"use client";

import { BadgeCheck, X } from "lucide-react";
import Link from "next/link";
import { useState } from "react";
import { useWords } from "#words";
import type { Client } from "@/components/call-api";
import { Button, IconButton } from "@/components/ui/button";
import { toast } from "@/components/ui/toast";
import { useOptimisticState } from "@/components/use-optimistic";
import type { contract, ResponseBody } from "@/lib/contract";

type Badges = ResponseBody<typeof contract.profile.getDomainBadges>;

/** Domains that show beside the member's name, and the one they could add. */
export function DomainBadges({ initial }: { readonly initial: Badges }) {
  const words = useWords();
  const { t } = words;
  const { shown: badges, act } = useOptimisticState(initial);
  const [busy, setBusy] = useState(false);

  const change = async (
    done: "settings.badgeShowing" | "settings.badgeHidden",
    next: Badges,
    send: (client: Client) => Promise<{ readonly now: Badges; readonly domain: string }>,
  ) => {
    setBusy(true);
    const result = await act({
      change: () => next,
      send,
      settled:
        ({ now }) =>
        () =>
          now,
    });
    setBusy(false);
    if (result.ok) toast({ text: t(done, { domain: result.value.domain }) });
  };
  const show = (domain: string) => {
    const next = { domains: [...badges.domains, domain], availableDomain: null };
    return change("settings.badgeShowing", next, async ({ api, contract }) => {
      // The server adds the domain proven last, which may be newer than this page.
      const added = await api.call(contract.profile.addDomainBadge, {});
      return { now: { domains: added.domains, availableDomain: null }, domain: added.domain };
    });
  };
  const hide = (domain: string) => {
    const next = { ...badges, domains: badges.domains.filter((one) => one !== domain) };
    return change("settings.badgeHidden", next, async ({ api, contract }) => {
      await api.call(contract.profile.removeDomainBadge, { domain });
      // The removal succeeded; the next visit shows what could be added.
      const now = await api.call(contract.profile.getDomainBadges, {}).catch(() => next);
      return { now, domain };
    });
  };
  const { domains, availableDomain } = badges;
  return (
    <div className="grid gap-3">
      {domains.length > 0 ? (
        <ul aria-label={t("settings.badges")} className="flex flex-wrap gap-2">
          {domains.map((domain) => (
            <li
              key={domain}
              className="inline-flex min-h-9 items-center gap-1.5 rounded-full border bg-sheet ps-3 font-medium"
            >
              <BadgeCheck className="size-4 shrink-0 text-seal" aria-hidden />@{domain}
              <IconButton
                label={t("settings.badgeHide", { domain })}
                disabled={busy}
                onClick={() => void hide(domain)}
              >
                <X className="size-4" aria-hidden />
              </IconButton>
            </li>
          ))}
        </ul>
      ) : (
        <p className="text-soft">{t("settings.badgeNone")}</p>
      )}
      {availableDomain ? (
        <div>
          <Button size="sm" wrap busy={busy} onClick={() => void show(availableDomain)}>
            {t("settings.badgeShow", { domain: availableDomain })}
          </Button>
        </div>
      ) : domains.length === 0 ? (
        <p className="text-sm">
          <Link href="/sign-in" className="link reach">
            {t("settings.badgeProve")}
          </Link>
        </p>
      ) : null}
    </div>
  );
}
