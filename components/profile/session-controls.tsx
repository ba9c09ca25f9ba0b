"use client";

import { LogOut } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useWords } from "#words";
import { type Theme, themeCookie, themes } from "@/components/shell/theme";
import { Button } from "@/components/ui/button";
import { RadioCards } from "@/components/ui/radio-cards";
import { toast } from "@/components/ui/toast";
import { NicknameForm } from "./nickname-form";

/** The nickname form of the profile page: the server's parts follow once it is saved. */
export function ProfileNickname({
  current,
  next,
}: {
  readonly current: string | null;
  readonly next: string | null;
}) {
  const router = useRouter();
  return (
    <NicknameForm
      current={current}
      onSaved={() => {
        if (next) router.push(next);
        router.refresh();
      }}
    />
  );
}

const YEAR_SECONDS = 31_536_000;

/** Light, dark or as the system; kept in a cookie so that the server writes the right colours at once. */
export function ThemeSwitch({ initial }: { readonly initial: Theme }) {
  const { t } = useWords();
  const [theme, setTheme] = useState(initial);
  const choose = (next: Theme) => {
    setTheme(next);
    // biome-ignore lint/suspicious/noDocumentCookie: CookieStore is not in every browser yet
    document.cookie = `${themeCookie}=${next}; path=/; max-age=${YEAR_SECONDS}; samesite=lax`;
    if (next === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = next;
  };
  return (
    <RadioCards
      legend={t("profile.theme")}
      hideLegend
      columns
      name="theme"
      value={theme}
      onChange={choose}
      options={themes.map((value) => ({ value, title: t(`profile.themes.${value}`) }))}
    />
  );
}

/** Ends the session here and on the server. */
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
      router.push("/");
      router.refresh();
    } catch (error) {
      toast({ tone: "wrong", text: sentence(words, error) });
      setBusy(false);
    }
  };
  return (
    <Button onClick={signOut} busy={busy}>
      <LogOut className="size-4" aria-hidden />
      {t("profile.signOut")}
    </Button>
  );
}
