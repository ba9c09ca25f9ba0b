"use client";

import { useState } from "react";
import { useWords } from "#words";
import { callApi } from "@/components/call-api";
import { Button } from "@/components/ui/button";
import { CopyField } from "@/components/ui/copy-field";
import { RadioCards } from "@/components/ui/radio-cards";
import { toast } from "@/components/ui/toast";
import { useOptimisticState } from "@/components/use-optimistic";
import { type DigestRhythm, digestRhythms } from "@/lib/contract/notification-kinds";
import { dateOnly } from "@/lib/i18n/time";

/** Chooses how often an alert says how much is new. */
export function DigestChoice({ initial }: { readonly initial: DigestRhythm }) {
  const { t } = useWords();
  const { shown, act } = useOptimisticState<DigestRhythm>(initial);
  const choose = async (every: DigestRhythm) => {
    const result = await act({
      change: () => every,
      send: ({ api, contract }) => api.call(contract.notifications.setDigest, { every }),
    });
    if (result.ok) toast({ text: t("digest.saved") });
  };
  return (
    <RadioCards
      legend={t("digest.every")}
      columns
      name="digest"
      value={shown}
      onChange={(every) => void choose(every)}
      options={digestRhythms.map((value) => ({ value, title: t(`digest.rhythms.${value}`) }))}
    />
  );
}

/** Makes and ends the address at which a feed reader gets the reader's own feed. The address is shown once. */
export function FeedAddress({ initial }: { readonly initial: string | null }) {
  const words = useWords();
  const { t } = words;
  const [since, setSince] = useState(initial);
  const [url, setUrl] = useState<string | null>(null);
  const [busy, setBusy] = useState<"make" | "end" | null>(null);
  const make = async () => {
    setBusy("make");
    const made = await callApi(words, ({ api, contract }) => api.call(contract.my.makeFeed, {}));
    setBusy(null);
    if (!made.ok) return toast({ tone: "wrong", text: made.sentence });
    setUrl(made.value.url);
    setSince(made.value.createdAt);
    toast({ text: t("feedAddress.made") });
  };
  const end = async () => {
    setBusy("end");
    const ended = await callApi(words, ({ api, contract }) => api.call(contract.my.endFeed, {}));
    setBusy(null);
    if (!ended.ok) return toast({ tone: "wrong", text: ended.sentence });
    setUrl(null);
    setSince(null);
    toast({ text: t("feedAddress.ended") });
  };
  return (
    <div className="grid gap-3">
      <h3 className="text-sm font-semibold">{t("feedAddress.title")}</h3>
      <p className="text-soft">{t("feedAddress.lead")}</p>
      {url ? (
        <>
          <p className="text-sm font-medium">{t("feedAddress.once")}</p>
          <div className="flex flex-wrap gap-2 sm:flex-nowrap">
            <CopyField label={t("feedAddress.label")} value={url} />
          </div>
        </>
      ) : (
        <p className="text-sm text-soft">
          {since
            ? t("feedAddress.since", { date: dateOnly(words, new Date(since), new Date()) })
            : t("feedAddress.none")}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        <Button size="sm" busy={busy === "make"} onClick={() => void make()}>
          {t(since ? "feedAddress.again" : "feedAddress.make")}
        </Button>
        {since ? (
          <Button size="sm" tone="quiet" busy={busy === "end"} onClick={() => void end()}>
            {t("feedAddress.end")}
          </Button>
        ) : null}
      </div>
    </div>
  );
}
