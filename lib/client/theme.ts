/** The theme, which a cookie stores so that the server renders the right colors. */

export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];
export const themeCookie = "parley-theme";

/** Returns the theme of a cookie value; unknown values mean the system's theme. */
export function readTheme(value: string | undefined): Theme {
  return themes.find((theme) => theme === value) ?? "system";
}
