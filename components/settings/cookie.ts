const YEAR_SECONDS = 31_536_000;

/** Keeps a choice on this device for a year, where the server reads it too; null forgets it. */
export function setCookie(name: string, value: string | null): void {
  const secure = window.location.protocol === "https:" ? "; secure" : "";
  const life = value === null ? 0 : YEAR_SECONDS;
  // biome-ignore lint/suspicious/noDocumentCookie: CookieStore is not in every browser yet
  document.cookie = `${name}=${value ?? ""}; path=/; max-age=${life}; samesite=lax${secure}`;
}
