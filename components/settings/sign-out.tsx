"use client";

import { LogOut } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useWords } from "#words";
import { forgetBlocks } from "@/components/block/blocks";
import { callApi } from "@/components/call-api";
import { reader } from "@/components/offline/state";
import { Button } from "@/components/ui/button";
import { toast } from "@/components/ui/toast";
import { useLazyComponent } from "@/components/ui/use-lazy-component";
import { mayHaveSecret } from "@/lib/client/anonymous/flag";
import { forgetDrafts } from "@/lib/client/drafts";
import { forgetSaved } from "@/lib/client/saved";

const loadDialog = () => import("@/components/anonymous/keep-secret").then((m) => m.KeepSecretDialog);

/** Ends the session, and deletes offline copies and drafts from this device; asks about the secret that is here. */
export function SignOut() {
  const words = useWords();
  const { t } = words;
  const router = useRouter();
  const dialog = useLazyComponent(loadDialog);
  const [busy, setBusy] = useState(false);
  /** User whose secret is asked about. */
  const [asking, setAsking] = useState<string | null>(null);
  /** @param forget deletes what else of this user is on the device */
  const signOut = async (forget?: () => Promise<void>) => {
    setAsking(null);
    setBusy(true);
    const answer = await callApi(words, ({ api, contract }) => api.call(contract.auth.logout, {}));
    if (!answer.ok) {
      setBusy(false);
      return toast({ tone: "wrong", text: answer.sentence });
    }
    forgetDrafts();
    forgetBlocks();
    await forgetSaved().catch(() => undefined);
    await forget?.().catch(() => undefined);
    router.push("/");
    router.refresh();
  };
  const press = () => {
    const userId = reader();
    return userId && mayHaveSecret(userId) ? dialog.load(() => setAsking(userId)) : void signOut();
  };
  return (
    <>
      <Button onClick={press} busy={busy || dialog.busy}>
        <LogOut className="size-4" aria-hidden />
        {t("profile.signOut")}
      </Button>
      {asking && dialog.Component ? (
        <dialog.Component userId={asking} onSignOut={signOut} onClose={() => setAsking(null)} />
      ) : null}
    </>
  );
}
