/**
 * Where to go on after signing in: a path of this site and nothing else, so that a link cannot send a member who
 * just signed in to another one.
 */
export function nextPath(value: string | undefined, otherwise = "/"): string {
  if (!value?.startsWith("/") || value.startsWith("//") || value.includes("\\")) return otherwise;
  const url = URL.parse(value, "http://here.invalid");
  return url?.origin === "http://here.invalid" ? `${url.pathname}${url.search}` : otherwise;
}
