import { parseArgs } from "node:util";
import { z } from "zod";
import addresses from "@/contracts/addresses.json" with { type: "json" };
import { hasFacilitator } from "@/lib/settings/facilitator";
import { addressesSchema } from "../contracts/deploy/addresses";
import { examine } from "./examine";
import { type Finding, type Program, programs } from "./finding";

const USAGE = `usage: npm run doctor [-- ${programs.join(" | ")} ...] [--json]
Examines the installation that the environment describes; by default all programs. Exits with 1 if it finds a fault.`;

/**
 * Runs `npm run doctor`.
 * @param own the programs to examine when none is named
 * @returns the exit status
 */
export async function doctor(args: readonly string[], own?: readonly Program[]): Promise<number> {
  const given = argumentsOf(args);
  if (!given) {
    console.error(USAGE);
    return 2;
  }
  const all = own ?? programs.filter((each) => each !== "facilitator" || hasFacilitator(process.env));
  const named = given.named.length > 0 ? given.named : all;
  const findings = await examine(process.env, new Set(named), addressesSchema.parse(addresses));
  const faults = findings.filter(({ kind }) => kind === "fault").length;
  if (given.json) for (const finding of findings) console.log(JSON.stringify(finding));
  else {
    for (const finding of findings) console.log(sentenceOf(finding));
    const warnings = findings.length - faults;
    console.log(`${named.join(", ")}: ${count(faults, "fault")}, ${count(warnings, "warning")}`);
  }
  return faults > 0 ? 1 : 0;
}

function argumentsOf(args: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { json: { type: "boolean", default: false } },
    });
    return { json: values.json, named: z.array(z.enum(programs)).parse(positionals) };
  } catch {
    return undefined;
  }
}

function sentenceOf({ kind, about, problem, mend }: Finding): string {
  return `${kind.toUpperCase().padEnd(7)}  ${about}: ${problem}.\n         ${mend}.\n`;
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? "" : "s"}`;
}
