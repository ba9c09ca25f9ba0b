"use client";

import { LogOut } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useWords } from "#words";
import { forgetBlocks } from "@/components/block/blocks";
import { callApi } from "@/components/call-api";
import { Button } from "@/components/ui/button";
import { toast } from "@/components/ui/toast";
import { forgetDrafts } from "@/lib/client/drafts";
import { forgetSaved } from "@/lib/client/saved";

/** Ends the session, and deletes offline copies and drafts from this device. */
export function SignOut() {
  const words = useWords();
  const { t } = words;
  const router = useRouter();
  const [busy, setBusy] = useState(false);
  const signOut = async () => {
    setBusy(true);
    const answer = await callApi(words, ({ api, contract }) => api.call(contract.auth.logout, {}));
    if (!answer.ok) {
      setBusy(false);
      return toast({ tone: "wrong", text: answer.sentence });
    }
    forgetDrafts();
    forgetBlocks();
    await forgetSaved().catch(() => undefined);
    router.push("/");
    router.refresh();
  };
  return (
    <Button onClick={() => void signOut()} busy={busy}>
      <LogOut className="size-4" aria-hidden />
      {t("profile.signOut")}
    </Button>
  );
}
