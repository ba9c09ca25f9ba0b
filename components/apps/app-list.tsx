"use client";

import { AppWindow } from "lucide-react";
import { useState } from "react";
import { useWords } from "#words";
import { ConfirmDialog } from "@/components/staff/confirm-dialog";
import { useKeptFocus } from "@/components/staff/use-optimistic-rows";
import { Button } from "@/components/ui/button";
import { CopyField } from "@/components/ui/copy-field";
import { EmptyState, Note } from "@/components/ui/notes";
import { toast } from "@/components/ui/toast";
import type { contract, ResponseBody } from "@/lib/contract";
import { LIMITS } from "@/lib/contract/limits";
import { NewApp } from "./new-app";

type App = ResponseBody<typeof contract.apps.list>["apps"][number];
type Asked = { readonly kind: "make" } | { readonly kind: "renew" | "remove"; readonly app: App };

/** The member's apps. A new secret is shown once. */
export function AppList({ initial }: { readonly initial: readonly App[] }) {
  const { t } = useWords();
  const [apps, setApps] = useState(initial);
  const [secret, setSecret] = useState<string | null>(null);
  const [asked, setAsked] = useState<Asked | null>(null);
  const list = useKeptFocus<HTMLUListElement>(apps.length);
  const close = () => setAsked(null);
  return (
    <>
      {secret ? (
        <Note title={t("apps.once")}>
          <Copied label={t("apps.secret")} value={secret} button={t("apps.copy")} />
        </Note>
      ) : null}
      {apps.length === 0 ? (
        <EmptyState title={t("apps.noneTitle")}>{t("apps.none")}</EmptyState>
      ) : (
        <ul
          ref={list}
          tabIndex={-1}
          aria-label={t("apps.title")}
          className="divide-y rounded-sheet border bg-sheet outline-none"
        >
          {apps.map((app) => (
            <li key={app.clientId} className="grid gap-3 px-4 py-3">
              <div className="flex items-start gap-3">
                <AppWindow className="mt-0.5 size-5 shrink-0 text-soft" aria-hidden />
                <div className="grid min-w-0 flex-1 gap-0.5">
                  <p className="font-medium wrap-anywhere" dir="auto">
                    {app.name}
                  </p>
                  {app.redirectUris.map((uri) => (
                    <p key={uri} className="text-sm wrap-anywhere text-soft">
                      {uri}
                    </p>
                  ))}
                  <p className="text-sm text-soft">{t(`apps.${app.kind}`)}</p>
                </div>
              </div>
              <Copied
                label={`${t("apps.clientId")}: ${app.name}`}
                value={app.clientId}
                button={t("apps.copy")}
              />
              <div className="flex flex-wrap gap-2">
                {app.kind === "server" ? (
                  <Button
                    size="sm"
                    aria-label={t("apps.renewOne", { name: app.name })}
                    onClick={() => setAsked({ kind: "renew", app })}
                  >
                    {t("apps.renew")}
                  </Button>
                ) : null}
                <Button
                  size="sm"
                  aria-label={t("apps.removeOne", { name: app.name })}
                  onClick={() => setAsked({ kind: "remove", app })}
                >
                  {t("apps.remove")}
                </Button>
              </div>
            </li>
          ))}
        </ul>
      )}
      {apps.length >= LIMITS.apps.most ? (
        <p className="text-sm text-soft">{t("apps.full", { n: LIMITS.apps.most })}</p>
      ) : (
        <div>
          <Button tone="primary" onClick={() => setAsked({ kind: "make" })}>
            {t("apps.make")}
          </Button>
        </div>
      )}
      {asked?.kind === "make" ? (
        <NewApp
          onMade={({ app, clientSecret }) => {
            setApps((before) => [app, ...before]);
            setSecret(clientSecret);
          }}
          onClose={close}
        />
      ) : null}
      {asked?.kind === "renew" ? (
        <ConfirmDialog
          title={t("apps.renewTitle", { name: asked.app.name })}
          text={t("apps.renewText")}
          confirm={t("apps.renew")}
          work={async ({ api, contract }) => {
            const { clientId } = asked.app;
            setSecret((await api.call(contract.apps.renewSecret, { clientId })).clientSecret);
          }}
          onDone={close}
          onClose={close}
        />
      ) : null}
      {asked?.kind === "remove" ? (
        <ConfirmDialog
          title={t("apps.removeTitle", { name: asked.app.name })}
          text={t("apps.removeText")}
          confirm={t("apps.remove")}
          work={({ api, contract }) => api.call(contract.apps.delete, { clientId: asked.app.clientId })}
          onDone={() => {
            setApps((before) => before.filter(({ clientId }) => clientId !== asked.app.clientId));
            toast({ text: t("apps.removed", { name: asked.app.name }) });
            close();
          }}
          onClose={close}
        />
      ) : null}
    </>
  );
}

function Copied(props: { readonly label: string; readonly value: string; readonly button: string }) {
  return (
    <div className="flex flex-wrap gap-2 sm:flex-nowrap">
      <CopyField {...props} />
    </div>
  );
}
