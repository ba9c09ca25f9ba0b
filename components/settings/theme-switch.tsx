"use client";

import { useState } from "react";
import { useWords } from "#words";
import { type Theme, themeCookie, themes } from "@/components/shell/theme";
import { RadioCards } from "@/components/ui/radio-cards";
import { setCookie } from "./cookie";

/** Light, dark or as the system; kept in a cookie so that the server writes the right colours at once. */
export function ThemeSwitch({ initial }: { readonly initial: Theme }) {
  const { t } = useWords();
  const [theme, setTheme] = useState(initial);
  const choose = (next: Theme) => {
    setTheme(next);
    setCookie(themeCookie, next);
    if (next === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = next;
  };
  return (
    <RadioCards
      legend={t("settings.theme")}
      columns
      name="theme"
      value={theme}
      onChange={choose}
      options={themes.map((value) => ({ value, title: t(`settings.themes.${value}`) }))}
    />
  );
}
