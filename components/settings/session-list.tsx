"use client";

import { MonitorSmartphone } from "lucide-react";
import { useState } from "react";
import { useWords } from "#words";
import type { Client, Failure } from "@/components/call-api";
import { useKeptFocus } from "@/components/staff/use-optimistic-rows";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { TimeAgo } from "@/components/ui/time-ago";
import { toast } from "@/components/ui/toast";
import { useOptimisticState } from "@/components/use-optimistic";
import type { contract, ResponseBody } from "@/lib/contract";

type Session = ResponseBody<typeof contract.auth.sessions>["sessions"][number];

function isGone({ code }: Failure): boolean {
  return code === "session_not_found";
}

/** The member's sessions. Ending one shows at once; a refusal restores it. */
export function SessionList({ initial }: { readonly initial: readonly Session[] }) {
  const words = useWords();
  const { t } = words;
  const { shown, act } = useOptimisticState(initial);
  // A page that was on its way when a session ended still lists it. Ended sessions never come back.
  const [ended, setEnded] = useState<ReadonlySet<string>>(new Set());
  const sessions = shown.filter(({ id }) => !ended.has(id));
  const [isAsking, setAsking] = useState(false);
  const list = useKeptFocus<HTMLUListElement>(sessions.length);
  const others = sessions.filter(({ isCurrent }) => !isCurrent);

  /** Removes sessions from the list while `send` runs; restores them when it fails. */
  const removeRows = async (gone: readonly Session[], send: (client: Client) => Promise<string>) => {
    const ids = new Set(gone.map(({ id }) => id));
    const change = (list: readonly Session[]) => list.filter(({ id }) => !ids.has(id));
    const result = await act({
      ...{ change, send },
      // The session has already ended.
      refused: (failure) => (isGone(failure) ? change : (list) => list),
      toast: (failure) => (isGone(failure) ? null : { tone: "wrong", text: failure.sentence }),
    });
    if (result.ok || isGone(result)) setEnded((before) => new Set([...before, ...ids]));
    if (result.ok) toast({ text: result.value });
  };
  const end = (session: Session) =>
    removeRows([session], async ({ api, contract }) => {
      await api.call(contract.auth.endSession, { sessionId: session.id });
      return t("settings.endedOne", { label: session.label });
    });
  const endOthers = () => {
    setAsking(false);
    return removeRows(others, async ({ api, contract }) => {
      const { ended } = await api.call(contract.auth.endOtherSessions, {});
      return t("settings.endedMany", { n: ended });
    });
  };
  return (
    <div className="grid gap-3">
      <ul
        ref={list}
        tabIndex={-1}
        aria-label={t("settings.sessions")}
        className="divide-y rounded-sheet border bg-sheet outline-none"
      >
        {sessions.map((session) => (
          <li key={session.id} className="flex items-center gap-3 px-4 py-3">
            <MonitorSmartphone className="size-5 shrink-0 text-soft" aria-hidden />
            <div className="grid min-w-0 flex-1 gap-0.5">
              <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
                <span className="font-medium">{session.label}</span>
                {session.isCurrent ? <Badge tone="good">{t("common.thisDevice")}</Badge> : null}
              </p>
              <p className="flex flex-wrap gap-x-2 text-sm text-soft">
                <span>
                  {t("settings.signedIn")} <TimeAgo at={session.createdAt} />
                </span>
                {session.isCurrent ? null : (
                  <>
                    <span aria-hidden="true">·</span>
                    <span>
                      {t("settings.lastSeen")} <TimeAgo at={session.lastSeenAt} />
                    </span>
                  </>
                )}
              </p>
            </div>
            {session.isCurrent ? null : (
              <Button
                size="sm"
                aria-label={t("settings.endOne", { label: session.label })}
                onClick={() => void end(session)}
              >
                {t("settings.end")}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {others.length > 0 ? (
        <div>
          <Button size="sm" onClick={() => setAsking(true)}>
            {t("settings.endAll")}
          </Button>
        </div>
      ) : (
        <p className="text-sm text-soft">{t("settings.onlyOne")}</p>
      )}
      <Dialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title={t("settings.endAll")}
        footer={
          <>
            <Button onClick={() => setAsking(false)}>{t("common.cancel")}</Button>
            <Button tone="primary" onClick={() => void endOthers()}>
              {t("settings.endAll")}
            </Button>
          </>
        }
      >
        <p className="text-soft">{t("settings.endAllText", { n: others.length })}</p>
      </Dialog>
    </div>
  );
}
