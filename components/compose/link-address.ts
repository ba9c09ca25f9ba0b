/** Schemes that the server lets stand. */
const schemes: ReadonlySet<string> = new Set(["http:", "https:", "mailto:"]);

/** The address somebody means: `example.com` is a page there, `ada@example.com` a mailbox. Null for what is no address. */
export function linkAddress(text: string): string | null {
  const typed = text.trim();
  if (!typed || /\s/.test(typed)) return null;
  const isMailbox = /^[^\s@/:]+@[^\s@/:]+\.[^\s@/:]+$/.test(typed);
  const hasScheme = /^[a-z][a-z0-9+.-]*:/i.test(typed) && !/^[\w.-]+:\d+(\/|$)/.test(typed);
  const url = URL.parse(isMailbox ? `mailto:${typed}` : hasScheme ? typed : `https://${typed}`);
  if (!url || !schemes.has(url.protocol)) return null;
  if (url.protocol !== "mailto:" && !hasScheme && !url.hostname.includes(".")) return null;
  return url.href;
}
