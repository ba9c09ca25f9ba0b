import Bowser from "bowser";

/** Longer user agents are cut before parsing; no real browser needs more. */
const MAX_PARSED_LENGTH = 300;

/** The only words of a label: a client that asks a phone for a sign-in must not call itself "your own laptop". */
const BROWSERS =
  /^(Brave|Chrome|Chromium|Firefox|Microsoft Edge|Opera|Safari|Samsung Internet for Android|Vivaldi)$/;
const SYSTEMS = /^(Android|Chrome OS|iOS|Linux|macOS|Windows)$/;
const PROGRAMS = /^(curl|Go-http-client|HTTPie|node|python-requests|Wget)$/;

/**
 * Returns a client's label for lists: "Firefox on Linux", "curl". Short and without versions, since labels are stored
 * and shown; the user agent itself is not stored.
 */
export function clientLabel(userAgent: string | null): string {
  const given = (userAgent ?? "").slice(0, MAX_PARSED_LENGTH);
  if (given === "") return "Unknown client";
  const { browser, os } = Bowser.parse(given);
  if (SYSTEMS.test(os.name ?? "")) {
    const name = BROWSERS.test(browser.name ?? "") ? browser.name : "A browser";
    return `${name} on ${os.name}`;
  }
  const [program = ""] = /^[A-Za-z0-9._-]+/.exec(given) ?? [];
  return PROGRAMS.test(program) ? program : "Unknown client";
}
