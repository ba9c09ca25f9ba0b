"use client";

import { QrCode as QrIcon } from "lucide-react";
import { useRef, useState } from "react";
import { useWords } from "#words";
import { callApi } from "@/components/call-api";
import { Panel } from "@/components/shell/panel";
import { Button, IconButton } from "@/components/ui/button";
import { CopyField } from "@/components/ui/copy-field";
import { ErrorNote } from "@/components/ui/notes";
import { toast } from "@/components/ui/toast";
import { useLazyComponent } from "@/components/ui/use-lazy-component";
import { useMoment } from "@/components/ui/use-moment";

const loadQr = () => import("@/components/relay/qr").then(({ QrCode }) => QrCode);

interface InviteLinkProps {
  readonly url: string;
  /** The code to read out, for links with a code. */
  readonly code?: string;
}

/** An invite link to copy, read out or scan. */
function InviteLink({ url, code }: InviteLinkProps) {
  const { t } = useWords();
  const [scan, setScan] = useState(false);
  const qr = useLazyComponent(loadQr);
  return (
    <div className="grid gap-3">
      {code ? (
        <p className="font-mono text-2xl tracking-widest">
          <span className="sr-only">{t("invites.code")} </span>
          {code}
        </p>
      ) : null}
      <div className="flex flex-wrap gap-2 sm:flex-nowrap">
        <CopyField label={t("invites.link")} value={url} />
        <IconButton
          label={t(scan ? "invites.hideQr" : "invites.showQr")}
          aria-expanded={scan}
          aria-busy={qr.busy || undefined}
          onClick={() => qr.load(() => setScan((was) => !was))}
          className="size-10 border"
        >
          <QrIcon className="size-5" aria-hidden />
        </IconButton>
      </div>
      {scan && qr.Component ? <qr.Component text={url} label={t("invites.qr")} /> : null}
    </div>
  );
}

interface OnceLink {
  readonly token: string;
  /** ISO 8601. */
  readonly expiresAt: string;
}

export interface InvitesProps {
  readonly topicId: string;
  readonly code: string | null;
  readonly origin: string;
  /** Whether the reader may create links; a muted member may not. */
  readonly mayCreate: boolean;
  /** Whether the reader may replace the code: owner and admins. */
  readonly mayRenew: boolean;
}

/** The topic's code, and links for one person each. Only this page knows the token of a new link. */
export function Invites({ topicId, code, origin, mayCreate, mayRenew }: InvitesProps) {
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
          <Button tone="primary" busy={busy} disabled={!mayCreate} onClick={() => void create()}>
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
                  <Expiry at={link.expiresAt} />
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
}: Omit<InvitesProps, "mayCreate"> & { readonly code: string }) {
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

function Expiry({ at }: { readonly at: string }) {
  const { t } = useWords();
  return <p className="text-sm text-soft">{t("invites.ends", { when: useMoment(at) })}</p>;
}
