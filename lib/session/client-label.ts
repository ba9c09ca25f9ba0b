import Bowser from "bowser";

/** Longer ones are cut before they are parsed; nobody's browser says so much. */
const parsedLength = 300;

/**
 * The only words a label is made of: whoever asks a phone for a sign-in writes its user agent, and must not be able to
 * call itself "your own laptop".
 */
const browsers: ReadonlySet<string> = new Set([
  "Brave",
  "Chrome",
  "Chromium",
  "Firefox",
  "Microsoft Edge",
  "Opera",
  "Safari",
  "Samsung Internet for Android",
  "Vivaldi",
]);
const systems: ReadonlySet<string> = new Set(["Android", "Chrome OS", "iOS", "Linux", "macOS", "Windows"]);
const programs: ReadonlySet<string> = new Set([
  "curl",
  "Go-http-client",
  "HTTPie",
  "node",
  "python-requests",
  "Wget",
]);

/**
 * What a client is called in lists: "Firefox on Linux", "curl". Short and without versions, as it is kept and shown;
 * the user agent itself is not.
 */
export function clientLabel(userAgent: string | null): string {
  const given = (userAgent ?? "").slice(0, parsedLength);
  if (given === "") return "Unknown client";
  const { browser, os } = Bowser.parse(given);
  if (os.name && systems.has(os.name)) {
    const name = browser.name && browsers.has(browser.name) ? browser.name : "A browser";
    return `${name} on ${os.name}`;
  }
  const [program = ""] = /^[A-Za-z0-9._-]+/.exec(given) ?? [];
  return programs.has(program) ? program : "Unknown client";
}
