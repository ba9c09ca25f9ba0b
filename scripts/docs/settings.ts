import { services, tools } from "@/lib/settings";
import { aboutOf, type Group } from "@/lib/settings/declare";

/** What the table and `.env.example` say about a variable. */
interface Row {
  readonly name: string;
  readonly by: string;
  readonly rule: string;
  readonly about: string;
  /** The default as written, or what happens without the variable. */
  readonly unset: string;
  readonly example: string;
  readonly isSecret: boolean;
}

function rowsOf({ by, variables }: Group): Row[] {
  return Object.entries(variables).map(([name, declared]) => {
    const { rule, about, example, unset, secret, ...own } = aboutOf(declared);
    const without = declared.safeParse(undefined);
    const isDefault = without.data !== undefined;
    return {
      ...{ name, rule, about, isSecret: secret === true, by: own.by ?? by },
      unset: unset || (without.success ? "–" : "required"),
      example: example ?? (isDefault ? (unset ?? "") : ""),
    };
  });
}

const cell = (text: string) => text.replaceAll("|", "\\|").replace(/<([\w ]+)>/g, "&lt;$1&gt;");

/** Returns the tables of docs/deploy.md. */
export function settingsTables(): string {
  const tables = [...services, ...tools].map((group) => {
    const rows = rowsOf(group).map(({ name, by, rule, about, unset, isSecret }) => {
      const cells = [`\`${name}\`${isSecret ? " (secret)" : ""}`, by, rule, unset, about];
      return `| ${cells.map(cell).join(" | ")} |`;
    });
    return [
      `**${group.title}**`,
      "",
      "| variable | read by | form | default | |",
      "|---|---|---|---|---|",
      ...rows,
    ].join("\n");
  });
  return tables.join("\n\n");
}

const head = `# The variables that Parley's services read. All are optional in development: \`npm start\` needs none of them.
# Generated from lib/settings (npm run docs); do not edit. docs/deploy.md says who reads each, its form and default.
#
# Copy to .env, uncomment what you set, and load it into the shell that starts Parley:
#   cp .env.example .env && set -a && . ./.env && set +a && npm start
# Git ignores .env. Put values with spaces or special characters in single quotes, and never commit a real one.
# Each secret NAME may come from a file instead: NAME_FILE=/run/secrets/name.
`;

/** Returns the text of .env.example. */
export function envExample(): string {
  const sections = services.map((group) => {
    const title = `# --- ${group.title} `.padEnd(WIDTH, "-");
    const lines = rowsOf(group).map(({ name, rule, about, unset, example, isSecret }) => {
      const parts = [about, ...(rule === "text" ? [] : [`Form: ${rule}`]), ...(isSecret ? ["Secret"] : [])];
      const otherwise = unset === "–" || unset === example ? [] : [`Without it: ${unset}`];
      return `${comment(`${[...parts, ...otherwise].join(". ")}.`)}\n#${name}=${example}`;
    });
    return `${[title, "", ...lines].join("\n")}\n`;
  });
  return [head, ...sections].join("\n");
}

const WIDTH = 120;

/** Breaks a text into lines of comments. */
function comment(text: string): string {
  const lines = ["#"];
  for (const word of text.split(" ")) {
    const line = lines.at(-1) ?? "";
    if (line.length + 1 + word.length > WIDTH) lines.push(`# ${word}`);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return lines.join("\n");
}

const START = "<!-- settings: written by npm run docs -->";
const END = "<!-- end of settings -->";

/** Returns docs/deploy.md with the tables as they are now. @throws Error when it has no place for them */
export function withTables(page: string): string {
  const [before, rest] = page.split(START);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined) throw new Error(`the page lacks ${START} or ${END}`);
  return `${before}${START}\n\n${settingsTables()}\n\n${END}${after}`;
}
