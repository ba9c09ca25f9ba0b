"use client";

import { BadgeCheck, X } from "lucide-react";
import Link from "next/link";
import { useState } from "react";
import { useWords } from "#words";
import { callApi } from "@/components/call-api";
import { Button, IconButton } from "@/components/ui/button";
import { toast } from "@/components/ui/toast";
import { useLazyComponent } from "@/components/ui/use-lazy-component";
import { useOptimisticState } from "@/components/use-optimistic";
import type { contract, ResponseBody } from "@/lib/contract";
import { dateOnly } from "@/lib/i18n/time";
import type { ShowDomainDialogProps } from "./show-domain-dialog";

const loadDialog = () => import("./show-domain-dialog").then(({ ShowDomainDialog }) => ShowDomainDialog);

type Badges = ResponseBody<typeof contract.profile.getDomainBadges>;

/** Domains that show beside the member's name, and the one they could add. */
export function DomainBadges({ initial }: { readonly initial: Badges }) {
  const words = useWords();
  const { t } = words;
  const { shown: badges, act, confirm } = useOptimisticState(initial);
  const [busy, setBusy] = useState(false);
  const [preview, setPreview] = useState<ShowDomainDialogProps["preview"] | null>(null);
  const dialog = useLazyComponent(loadDialog);

  const look = async () => {
    setBusy(true);
    const answer = await callApi(words, ({ api, contract }) =>
      api.call(contract.profile.previewDomainBadge, {}),
    );
    setBusy(false);
    if (answer.ok) dialog.load(() => setPreview(answer.value));
    else toast({ text: answer.sentence, tone: "wrong" });
  };
  const reload = async () => {
    setPreview(null);
    const answer = await callApi(words, ({ api, contract }) =>
      api.call(contract.profile.getDomainBadges, {}),
    );
    if (answer.ok) confirm(() => answer.value);
  };
  const hide = async (domain: string) => {
    const left = <T,>(all: readonly T[], of: (one: T) => string) => all.filter((one) => of(one) !== domain);
    const next = {
      ...badges,
      domains: left(badges.domains, (one) => one),
      limited: left(badges.limited, (one) => one.domain),
    };
    setBusy(true);
    const result = await act({
      change: () => next,
      send: async ({ api, contract }) => {
        await api.call(contract.profile.removeDomainBadge, { domain });
        // The removal succeeded; the next visit shows what could be added.
        return await api.call(contract.profile.getDomainBadges, {}).catch(() => next);
      },
      settled: (now) => () => now,
    });
    setBusy(false);
    if (result.ok) toast({ text: t("settings.badgeHidden", { domain }) });
  };
  const { availableDomain } = badges;
  const domains = [...new Set([...badges.domains, ...badges.limited.map(({ domain }) => domain)])];
  return (
    <div className="grid gap-3">
      {domains.length > 0 ? (
        <ul aria-label={t("settings.badges")} className="flex flex-wrap gap-x-4 gap-y-2">
          {domains.map((domain) => (
            <li key={domain} className="grid gap-1">
              <span className="inline-flex min-h-9 items-center gap-1.5 justify-self-start rounded-full border bg-sheet ps-3 font-medium">
                <BadgeCheck className="size-4 shrink-0 text-seal" aria-hidden />@{domain}
                <IconButton
                  label={t("settings.badgeHide", { domain })}
                  disabled={busy}
                  onClick={() => void hide(domain)}
                >
                  <X className="size-4" aria-hidden />
                </IconButton>
              </span>
              {badges.limited
                .filter((limit) => limit.domain === domain)
                .map((limit) => (
                  <Limit key={limit.topicId} of={limit} />
                ))}
            </li>
          ))}
        </ul>
      ) : (
        <p className="text-soft">{t("settings.badgeNone")}</p>
      )}
      {availableDomain ? (
        <div>
          <Button size="sm" wrap busy={busy || dialog.busy} onClick={() => void look()}>
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
      {preview && dialog.Component ? (
        <dialog.Component preview={preview} onDone={() => void reload()} onClose={() => setPreview(null)} />
      ) : null}
    </div>
  );
}

/** Says where and since when a domain is shown that is not shown everywhere. */
function Limit({ of: { topicId, topicTitle, since } }: { readonly of: Badges["limited"][number] }) {
  const words = useWords();
  const place = topicTitle
    ? words.t("settings.badgeIn", { topic: topicTitle })
    : words.t(topicId ? "settings.badgeInLeft" : "settings.badgeEverywhere");
  return (
    <p className="text-sm text-soft" dir="auto">
      {since ? words.t("settings.badgeSince", { place, date: dateOnly(words, new Date(since)) }) : place}
    </p>
  );
}
