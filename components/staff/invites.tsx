"use client";

import { useRef, useState } from "react";
import { useWords } from "#words";
import { callApi } from "@/components/call-api";
import { Panel } from "@/components/shell/panel";
import { Button } from "@/components/ui/button";
import { ErrorNote } from "@/components/ui/notes";
import { toast } from "@/components/ui/toast";
import { useMoment } from "@/components/ui/use-moment";
import { InviteLink } from "./invite-link";

interface OnceLink {
  readonly token: string;
  /** ISO 8601. */
  readonly expiresAt: string;
}

export interface InvitesProps {
  readonly topicId: string;
  readonly code: string | null;
  /** Origin of this site. */
  readonly origin: string;
  /** Whether the reader may make links; a muted member may not. */
  readonly mayMake: boolean;
  /** Whether the reader may replace the code: owner and admins. */
  readonly mayRenew: boolean;
}

/** The topic's code, and links that let one person in. A link's token is kept nowhere but on this page. */
export function Invites({ topicId, code, origin, mayMake, mayRenew }: InvitesProps) {
  const words = useWords();
  const { t } = words;
  const [made, setMade] = useState<readonly OnceLink[]>([]);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const list = useRef<HTMLUListElement>(null);
  const create = async () => {
    setBusy(true);
    setProblem(null);
    const answer = await callApi(words, ({ api, contract }) =>
      api.call(contract.topics.createInvite, { topicId }),
    );
    setBusy(false);
    if (!answer.ok) return setProblem(answer.sentence);
    setMade((known) => [answer.value, ...known]);
    requestAnimationFrame(() => list.current?.focus());
  };
  return (
    <>
      {code ? (
        <Panel title={t("invites.codeTitle")}>
          <p className="text-sm text-soft">{t("invites.codeText")}</p>
          <Code topicId={topicId} code={code} origin={origin} mayRenew={mayRenew} />
        </Panel>
      ) : null}
      <Panel title={t("invites.onceTitle")}>
        <p className="text-sm text-soft">{t("invites.onceText")}</p>
        {problem ? <ErrorNote>{problem}</ErrorNote> : null}
        <div>
          <Button tone="primary" busy={busy} disabled={!mayMake} onClick={() => void create()}>
            {t("invites.create")}
          </Button>
        </div>
        {made.length > 0 ? (
          <>
            <p className="text-sm text-soft">{t("invites.freshText")}</p>
            <ul ref={list} tabIndex={-1} aria-label={t("invites.fresh")} className="grid gap-4 outline-none">
              {made.map((link) => (
                <li key={link.token} className="grid gap-2 border-t pt-4">
                  <InviteLink url={`${origin}/invite/${link.token}`} />
                  <Ends at={link.expiresAt} />
                </li>
              ))}
            </ul>
          </>
        ) : null}
      </Panel>
    </>
  );
}

function Code({
  topicId,
  code,
  origin,
  mayRenew,
}: Omit<InvitesProps, "mayMake"> & { readonly code: string }) {
  const words = useWords();
  const { t } = words;
  const [current, setCurrent] = useState(code);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const renew = async () => {
    setBusy(true);
    setProblem(null);
    const answer = await callApi(words, ({ api, contract }) =>
      api.call(contract.topics.renewInviteCode, { topicId }),
    );
    setBusy(false);
    if (!answer.ok) return setProblem(answer.sentence);
    setCurrent(answer.value.inviteCode);
    toast({ text: t("invites.renewed") });
  };
  return (
    <>
      <InviteLink url={`${origin}/invite/${current}`} code={current} />
      {mayRenew ? (
        <>
          {problem ? <ErrorNote>{problem}</ErrorNote> : null}
          <p id="renew-code" className="text-sm text-soft">
            {t("invites.renewText")}
          </p>
          <div>
            <Button busy={busy} aria-describedby="renew-code" onClick={() => void renew()}>
              {t("invites.renew")}
            </Button>
          </div>
        </>
      ) : null}
    </>
  );
}

function Ends({ at }: { readonly at: string }) {
  const { t } = useWords();
  return <p className="text-sm text-soft">{t("invites.ends", { when: useMoment(at) })}</p>;
}
