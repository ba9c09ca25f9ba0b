import Bowser from "bowser";

/** Longer ones are cut before they are parsed; nobody's browser says so much. */
const parsedLength = 300;
const labelLength = 60;

/**
 * What a client is called in lists: "Firefox on Linux", "curl". Short and without versions, as it is kept and shown;
 * the user agent itself is not.
 */
export function clientLabel(userAgent: string | null): string {
  const given = (userAgent ?? "").slice(0, parsedLength);
  if (given === "") return "Unknown client";
  const { browser, os } = Bowser.parse(given);
  if (browser.name && os.name) return `${browser.name} on ${os.name}`.slice(0, labelLength);
  const [program = ""] = /^[A-Za-z0-9._-]+/.exec(given) ?? [];
  return program.slice(0, labelLength) || "Unknown client";
}
