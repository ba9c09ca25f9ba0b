import { useEffect, useState } from "react";
import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { forgetSecret, secretState } from "@/lib/client/anonymous/secret";

interface KeepSecretProps {
  readonly userId: string;
  readonly onSignOut: (forget?: () => Promise<void>) => Promise<void>;
  readonly onClose: () => void;
}

/** Asks whoever signs out whether the secret stays on this device. */
export function KeepSecretDialog({ userId, onSignOut, onClose }: KeepSecretProps) {
  const { t } = useWords();
  const [isSaved, setSaved] = useState(true);
  useEffect(() => {
    void secretState(userId).then(
      (state) => setSaved(state?.isSaved ?? true),
      () => undefined,
    );
  }, [userId]);
  return (
    <Dialog
      open
      onClose={onClose}
      title={t("anonymous.signOut.title")}
      footer={
        <>
          <Button tone="danger" onClick={() => void onSignOut(() => forgetSecret(userId))}>
            {t("anonymous.signOut.forget")}
          </Button>
          <Button tone="primary" onClick={() => void onSignOut()}>
            {t("anonymous.signOut.keep")}
          </Button>
        </>
      }
    >
      <p className="text-soft">{t("anonymous.signOut.text")}</p>
      {isSaved ? null : <p>{t("anonymous.signOut.unsaved")}</p>}
    </Dialog>
  );
}
