/** Theme and density, which cookies store so that the server renders the right colors and rows. */

export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];
export const themeCookie = "parley-theme";

/** Returns the theme of a cookie value; unknown values mean the system's theme. */
export function readTheme(value: string | undefined): Theme {
  return themes.find((theme) => theme === value) ?? "system";
}

/** How close the rows of lists are; compact ones leave out the summary. */
export const densities = ["comfortable", "compact"] as const;
export type Density = (typeof densities)[number];
export const densityCookie = "parley-density";

/** Returns the density of a cookie value; unknown values mean the comfortable one. */
export function readDensity(value: string | undefined): Density {
  return densities.find((density) => density === value) ?? "comfortable";
}
