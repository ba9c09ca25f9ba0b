"use client";

import { type FormEvent, type ReactNode, useCallback, useEffect, useState } from "react";
import { useWords } from "#words";
import { reader } from "@/components/offline/state";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { TextAreaField } from "@/components/ui/field";
import { Note } from "@/components/ui/notes";
import { toast } from "@/components/ui/toast";
import { hasPasskeys, makePasskey, restoreFromPasskey } from "@/lib/client/anonymous/passkey";
import { phraseIn, restoreSecret, showPhrase } from "@/lib/client/anonymous/phrase";
import { forgetSecret, phraseIsSaved, replaceSecret, secretState } from "@/lib/client/anonymous/secret";
import { warmUp } from "./engine";
import { GiveDialog, ReceiveDialog } from "./hand-over";
import { problemOf } from "./passkey-problem";

type State = Awaited<ReturnType<typeof secretState>>;
type Act = "show" | "restore" | "receive" | "forget" | "replace";

/** The reader's secret on this device: its words, bringing one here, deleting it. */
export function SecretPart() {
  const { t } = useWords();
  const [state, setState] = useState<State | undefined>(undefined);
  const [act, setAct] = useState<Act | null>(null);
  const look = useCallback(() => {
    const userId = reader();
    // Without a database there is none.
    const read = userId ? secretState(userId).catch(() => null) : Promise.resolve(null);
    void read.then(setState);
  }, []);
  useEffect(look, [look]);
  const close = useCallback(() => {
    setAct(null);
    look();
  }, [look]);
  if (state === undefined) return null;
  return (
    <>
      {state && !state.isSaved ? (
        <Note tone="warning">{t("anonymous.page.unsaved")}</Note>
      ) : (
        <p className="text-soft">
          {t(state ? "anonymous.page.here" : "anonymous.page.none")}{" "}
          {state ? t(state.isPasskey ? "anonymous.page.fromPasskey" : "anonymous.page.saved") : null}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        {state ? <Button onClick={() => setAct("show")}>{t("anonymous.page.show")}</Button> : null}
        <Button onClick={() => setAct("restore")}>{t("anonymous.page.restore")}</Button>
        <Button onClick={() => setAct("receive")}>{t("anonymous.handOver.act")}</Button>
        {hasPasskeys() ? <Passkey hasOne={state !== null} onDone={close} /> : null}
        {state ? <Button onClick={() => setAct("replace")}>{t("anonymous.replace.act")}</Button> : null}
        {state ? (
          <Button tone="quiet" onClick={() => setAct("forget")}>
            {t("anonymous.page.forget")}
          </Button>
        ) : null}
      </div>
      {act === "show" ? <Words onClose={close} /> : null}
      {act === "restore" ? <Restore hasOne={state !== null} onClose={close} /> : null}
      {act === "receive" ? <ReceiveDialog onClose={close} /> : null}
      {state ? <GiveDialog onClose={close} /> : null}
      {act === "forget" ? (
        <Sure of="forget" work={forgetSecret} onClose={close}>
          {t("anonymous.page.forgetText")}
        </Sure>
      ) : null}
      {act === "replace" ? (
        <Sure of="replace" work={replaceSecret} onClose={close}>
          {t("anonymous.replace.text")}
        </Sure>
      ) : null}
    </>
  );
}

interface DialogProps {
  readonly onClose: () => void;
}

/** Makes the secret with a passkey, or brings it back with one. */
function Passkey({ hasOne, onDone }: { readonly hasOne: boolean; readonly onDone: () => void }) {
  const { t } = useWords();
  const [busy, setBusy] = useState(false);
  const ask = async (work: (userId: string) => Promise<void>) => {
    const userId = reader();
    if (!userId) return;
    setBusy(true);
    const problem = await problemOf(work(userId));
    setBusy(false);
    toast(
      problem
        ? { tone: "wrong", text: t(`anonymous.passkey.${problem}`) }
        : { text: t("anonymous.page.restored") },
    );
    // What a first proof would fetch would say when it was made.
    if (!problem) void warmUp().catch(() => undefined);
    onDone();
  };
  return (
    <>
      {hasOne ? null : (
        <Button
          busy={busy}
          onClick={() => void ask((userId) => makePasskey(userId, t("anonymous.passkey.name")))}
        >
          {t("anonymous.passkey.make")}
        </Button>
      )}
      <Button busy={busy} onClick={() => void ask(restoreFromPasskey)}>
        {t("anonymous.passkey.use")}
      </Button>
    </>
  );
}

function Words({ onClose }: DialogProps) {
  const { t } = useWords();
  const [phrase, setPhrase] = useState<readonly string[]>([]);
  const userId = reader();
  useEffect(() => {
    if (userId)
      void showPhrase(userId).then(
        (words) => setPhrase(words ?? []),
        () => undefined,
      );
  }, [userId]);
  const wrote = async () => {
    if (userId) await phraseIsSaved(userId);
    onClose();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={t("anonymous.page.show")}
      footer={
        <Button tone="primary" onClick={() => void wrote()}>
          {t("anonymous.page.wrote")}
        </Button>
      }
    >
      <p className="text-soft">{t("anonymous.page.words")}</p>
      <ol
        translate="no"
        className="grid list-inside list-decimal grid-cols-2 gap-x-4 gap-y-1 font-mono text-sm sm:grid-cols-3"
      >
        {phrase.map((word, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a word can stand twice, and they never move
          <li key={at}>{word}</li>
        ))}
      </ol>
    </Dialog>
  );
}

function Restore({ hasOne, onClose }: DialogProps & { readonly hasOne: boolean }) {
  const { t } = useWords();
  const [text, setText] = useState("");
  const [isWrong, setWrong] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const userId = reader();
    if (!userId || !phraseIn(text)) return setWrong(true);
    await restoreSecret(userId, text);
    // What a first proof would fetch would say when it was made.
    void warmUp().catch(() => undefined);
    toast({ text: t("anonymous.page.restored") });
    onClose();
  };
  return (
    <Dialog open onClose={onClose} title={t("anonymous.page.restore")}>
      <form onSubmit={(event) => void submit(event)} noValidate className="grid gap-4">
        {hasOne ? <p className="text-soft">{t("anonymous.page.restoreReplaces")}</p> : null}
        <TextAreaField
          label={t("anonymous.page.restoreLabel")}
          hint={t("anonymous.page.restoreHint")}
          error={isWrong ? t("anonymous.page.restoreWrong") : null}
          value={text}
          onValue={setText}
          translate="no"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          rows={4}
        />
        <div className="flex justify-end">
          <Button type="submit" tone="primary">
            {t("anonymous.page.restoreAct")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

const SURE = {
  forget: {
    title: "anonymous.page.forget",
    confirm: "anonymous.page.forgetSure",
    done: "anonymous.page.forgotten",
  },
  replace: {
    title: "anonymous.replace.act",
    confirm: "anonymous.replace.confirm",
    done: "anonymous.replace.done",
  },
} as const;

interface SureProps extends DialogProps {
  readonly of: keyof typeof SURE;
  readonly work: (userId: string) => Promise<void>;
  readonly children: ReactNode;
}

function Sure({ of, work, children, onClose }: SureProps) {
  const { t } = useWords();
  const { title, confirm, done } = SURE[of];
  const act = async () => {
    const userId = reader();
    if (userId) await work(userId);
    toast({ text: t(done) });
    onClose();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={t(title)}
      footer={
        <Button tone="danger" onClick={() => void act()}>
          {t(confirm)}
        </Button>
      }
    >
      <p>{children}</p>
    </Dialog>
  );
}
