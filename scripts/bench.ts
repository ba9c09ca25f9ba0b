import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import { z } from "zod";
import { circuitIds } from "@/lib/proofs/deployment";
import { benchAnonymous } from "./bench/anonymous";
import { benchBallots } from "./bench/anonymous/ballots";
import { benchApi, measureNames } from "./bench/api";
import { benchChat } from "./bench/chat";
import { benchCosts } from "./bench/costs";
import { benchEmbedded } from "./bench/embedded";
import { describeMachine } from "./bench/machine";
import { benchNames } from "./bench/names";
import { benchPages } from "./bench/pages";
import { benchProve } from "./bench/prove";
import { benchProver } from "./bench/prover";
import { type About, line, withSection } from "./bench/report";
import { benchRolling } from "./bench/rolling";
import { isMet, type Row } from "./bench/row";
import { benchStart } from "./bench/start";
import { ROOT } from "./stack/settings";

/*
 * `npm run bench -- NAME [--json]` measures, prints each value with its limit, and writes the section of docs/benchmarks.md,
 * unless options ask for a part only. Exits with 1 when a limit is not met. Other load makes the numbers worthless.
 */
const USAGE = `usage: npm run bench -- ${benchNames.join("|")} [--json]
  api       [--posts 1000,1000000] [--only ${measureNames.join(",")}] [--seconds 4]
  pages     [--seconds 10]
  embedded  [--seconds 10]
  chat      [--subscribers 20000] [--seconds 20]
  prove     [--circuit ${circuitIds.join("|")}] [--rounds 5]
  prover    [--proofs 10]
  anonymous [--rounds 5]
  ballots   [--ballots 1000]
  costs     [--seconds 8]
  rolling   [--seconds 10]`;

const FILE = path.join(ROOT, "docs", "benchmarks.md");

const list = (text: string) => text.split(",").map((part) => part.trim());
const count = z.coerce.number<string>().int().min(1);
const optionsSchema = z.object({
  posts: z
    .string()
    .transform(list)
    .pipe(z.array(count.min(1_000)))
    .default([1_000, 1_000_000]),
  only: z
    .string()
    .transform(list)
    .pipe(z.array(z.enum(measureNames)))
    .default(measureNames),
  seconds: count.optional(),
  subscribers: count.optional(),
  circuit: z.enum(circuitIds).optional(),
  rounds: count.default(5),
  proofs: count.default(10),
  ballots: count.default(1_000),
});

function readArguments() {
  const string = { type: "string" } as const;
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      json: { type: "boolean", default: false },
      ...{
        posts: string,
        only: string,
        seconds: string,
        subscribers: string,
        circuit: string,
        rounds: string,
        proofs: string,
        ballots: string,
      },
    },
  });
  const { json, ...given } = values;
  const name = z.tuple([z.enum(benchNames)]).parse(positionals)[0];
  return { name, json, isPart: Object.keys(given).length > 0, options: optionsSchema.parse(given) };
}

function start(
  { name, options }: ReturnType<typeof readArguments>,
  about: About,
): AsyncGenerator<readonly Row[]> {
  switch (name) {
    case "api":
      return benchApi(options, about);
    case "pages":
      return benchPages(options, about);
    case "embedded":
      return benchEmbedded(options, about);
    case "start":
      return benchStart(about);
    case "chat":
      return benchChat(options, about);
    case "prove":
      return benchProve(
        circuitIds.filter((id) => id === (options.circuit ?? id)),
        options.rounds,
      );
    case "prover":
      return benchProver(options.proofs);
    case "anonymous":
      return benchAnonymous(options.rounds, about);
    case "ballots":
      return benchBallots(options.ballots, about);
    case "costs":
      return benchCosts(options, about);
    case "rolling":
      return benchRolling(options, about);
  }
}

async function main(): Promise<boolean> {
  const given = readArguments();
  const about: About = { notes: [], software: [] };
  const rows: Row[] = [];
  for await (const group of start(given, about)) {
    if (!given.json) console.log(`${group.map(line).join("\n")}\n`);
    rows.push(...group);
  }
  const where = describeMachine(about.software);
  if (given.json) console.log(JSON.stringify({ where, rows }));
  else console.log(where);
  if (!given.isPart) {
    const section = { name: given.name, notes: about.notes, where, rows };
    await writeFile(FILE, withSection(await readFile(FILE, "utf8"), section));
  }
  return rows.every(isMet);
}

main().then(
  (met) => process.exit(met ? 0 : 1),
  (error: unknown) => {
    console.error(error instanceof z.ZodError || isUsage(error) ? USAGE : error);
    process.exit(2);
  },
);

/** Returns whether parseArgs refused the command line. */
function isUsage(error: unknown): boolean {
  return error instanceof TypeError && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS");
}
