"use client";

import { LogOut } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { toast } from "@/components/ui/toast";
import { forgetSaved } from "@/lib/client/saved";

/** Ends the session here and on the server, and what this device kept to be read without a network. */
export function SignOut() {
  const words = useWords();
  const { t } = words;
  const router = useRouter();
  const [busy, setBusy] = useState(false);
  const signOut = async () => {
    setBusy(true);
    const { api, contract, sentence } = await import("@/components/api");
    try {
      await api.call(contract.auth.logout, {});
      await forgetSaved().catch(() => undefined);
      router.push("/");
      router.refresh();
    } catch (error) {
      toast({ tone: "wrong", text: sentence(words, error) });
      setBusy(false);
    }
  };
  return (
    <Button onClick={() => void signOut()} busy={busy}>
      <LogOut className="size-4" aria-hidden />
      {t("profile.signOut")}
    </Button>
  );
}
