/** The theme switch. It lives in a cookie, so the server writes the right colours into the first byte. */

export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];
export const themeCookie = "parley-theme";

/** The theme a cookie value names; anything unknown is the system's. */
export function readTheme(value: string | undefined): Theme {
  return themes.find((theme) => theme === value) ?? "system";
}
