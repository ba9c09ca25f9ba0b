"use client";

import Link from "next/link";
import { useEffect, useEffectEvent, useState } from "react";
import { useWords } from "#words";
import { type ApiResult, callApi } from "@/components/call-api";
import { ShownSeals } from "@/components/proof/shown-seals";
import { Spinner } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Avatar } from "@/components/ui/identicon";
import { personPath } from "@/lib/client/places";
import type { PersonView } from "@/lib/contract/people";
import { monthOf } from "@/lib/i18n/time";

interface Asked {
  readonly nickname: string;
  /** The topic in which their name was pressed. */
  readonly topicId: string | undefined;
}

interface Shown extends Asked {
  /** Null while it is being loaded. */
  readonly answer: ApiResult<PersonView> | null;
}

/**
 * Shows who is behind a seal or a name when a link is pressed that has `data-person`, or is in an element that has it.
 * Until this script has loaded, and when pressed with a key for a new tab, the link leads to their page.
 */
export function PersonCards() {
  const words = useWords();
  const [shown, setShown] = useState<Shown | null>(null);
  const show = async (asked: Asked) => {
    const pressed: Shown = { ...asked, answer: null };
    setShown(pressed);
    const answer = await callApi(words, async ({ api, contract }) => {
      const { person } = await api.call(contract.people.get, asked);
      return person;
    });
    // Another one was pressed, or this one closed, meanwhile.
    setShown((now) => (now === pressed ? { ...asked, answer } : now));
  };
  const onClick = useEffectEvent((event: MouseEvent) => {
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    const { person, topic } = link?.closest<HTMLElement>("[data-person]")?.dataset ?? {};
    if (!person) return;
    event.preventDefault();
    void show({ nickname: person, topicId: topic });
  });
  useEffect(() => {
    // Before React, whose link leaves a prevented event alone.
    document.addEventListener("click", onClick, true);
    return () => document.removeEventListener("click", onClick, true);
  }, []);
  return shown ? <PersonCard {...shown} onClose={() => setShown(null)} /> : null;
}

function PersonCard({ nickname, answer, onClose }: Shown & { readonly onClose: () => void }) {
  const words = useWords();
  const { t } = words;
  return (
    <Dialog open onClose={onClose} title={nickname}>
      {answer === null ? (
        <p role="status" className="flex items-center gap-2 text-soft">
          <Spinner />
          {t("common.loading")}
        </p>
      ) : answer.ok ? (
        <>
          <p className="flex items-center gap-3 text-sm text-soft">
            <Avatar userId={answer.value.userId} image={answer.value.profileImage} size="md" />
            {t("card.since", { month: monthOf(words, answer.value.since) })}
          </p>
          {answer.value.seals.length > 0 ? (
            <ShownSeals of={answer.value.seals} />
          ) : (
            <p className="text-soft">{t("card.nothing")}</p>
          )}
        </>
      ) : (
        <p role="alert" className="text-soft">
          {answer.sentence}
        </p>
      )}
      <Link href={personPath(nickname)} prefetch={false} onClick={onClose} className="link tap w-fit">
        {t("card.page")}
      </Link>
    </Dialog>
  );
}
