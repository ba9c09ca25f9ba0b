import { useEffect, useState } from "react";
import { useWords } from "#words";
import { api } from "@/components/api";
import { reader } from "@/components/offline/state";
import { QrCode } from "@/components/relay/qr";
import { ConfirmDialog } from "@/components/staff/confirm-dialog";
import { Button, Spinner } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { toast } from "@/components/ui/toast";
import {
  codeOf,
  fragmentOf,
  give,
  type HandOver,
  handOverIn,
  newHandOver,
  receive,
} from "@/lib/client/anonymous/hand-over";
import { warmUp } from "./engine";

const PAGE = "/settings/anonymous";

/** Waits for the secret of another device of the reader's, which opens the address that this one shows. */
export function ReceiveDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useWords();
  const [handOver] = useState(newHandOver);
  const code = useCode(handOver);
  useEffect(() => {
    const userId = reader();
    if (!userId) return;
    const gone = new AbortController();
    const done = (isHere: boolean) => {
      if (gone.signal.aborted) return;
      toast(
        isHere
          ? { text: t("anonymous.page.restored") }
          : { tone: "wrong", text: t("anonymous.handOver.ranOut") },
      );
      // What a first proof would fetch would say when it was made.
      if (isHere) void warmUp().catch(() => undefined);
      onClose();
    };
    void receive(api, userId, handOver, gone.signal).then(done, () => done(false));
    return () => gone.abort();
  }, [handOver, onClose, t]);
  const address = `${window.location.origin}${PAGE}${fragmentOf(handOver)}`;
  return (
    <Dialog
      open
      onClose={onClose}
      title={t("anonymous.handOver.title")}
      footer={
        <Button tone="quiet" onClick={onClose}>
          {t("common.cancel")}
        </Button>
      }
    >
      <p className="text-soft">{t("anonymous.handOver.scan")}</p>
      <QrCode text={address} label={t("anonymous.handOver.qr")} />
      <p className="font-mono text-sm break-all" translate="no">
        {address}
      </p>
      <Code code={code} />
      <p className="flex items-center gap-3 text-sm text-soft">
        <Spinner />
        <span role="status">{t("anonymous.handOver.waiting")}</span>
      </p>
    </Dialog>
  );
}

/** Asks whether to give this device's secret to the one whose address was opened here. */
export function GiveDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useWords();
  const [handOver, setHandOver] = useState<HandOver | null>(null);
  useEffect(() => {
    setHandOver(handOverIn(window.location.hash));
    // It has the key: neither the history nor a copied address keeps it.
    if (window.location.hash) window.history.replaceState(null, "", PAGE);
  }, []);
  const code = useCode(handOver);
  if (!handOver) return null;
  const close = () => {
    setHandOver(null);
    onClose();
  };
  return (
    <ConfirmDialog
      title={t("anonymous.handOver.giveTitle")}
      text={t("anonymous.handOver.giveText")}
      confirm={t("anonymous.handOver.give")}
      tone="primary"
      work={async () => {
        const userId = reader();
        if (userId) await give(api, userId, handOver);
      }}
      done={t("anonymous.handOver.given")}
      onDone={close}
      onClose={close}
    >
      <Code code={code} />
    </ConfirmDialog>
  );
}

function useCode(handOver: HandOver | null): string | null {
  const [code, setCode] = useState<string | null>(null);
  useEffect(() => {
    if (handOver) void codeOf(handOver).then(setCode);
  }, [handOver]);
  return code;
}

function Code({ code }: { readonly code: string | null }) {
  const { t } = useWords();
  return (
    <p className="grid gap-1">
      <span className="text-sm text-soft">{t("anonymous.handOver.code")}</span>
      <output className="font-mono text-3xl font-semibold tracking-widest">
        {code ? `${code.slice(0, 3)} ${code.slice(3)}` : null}
      </output>
    </p>
  );
}
