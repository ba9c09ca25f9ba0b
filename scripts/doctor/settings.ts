import { checkDeployment } from "@/lib/proofs/deployment.server";
import { checkInstallation } from "@/lib/runtime/config";
import { misspelled } from "@/lib/settings";
import { appVariables } from "@/lib/settings/app";
import { type Environment, effectiveSettings } from "@/lib/settings/read";
import { checkProver } from "@/prover/config";
import { dumpProblems } from "@/prover/dumps";
import { checkFacilitator } from "@/prover/facilitator/config";
import { type Check, type Finding, fault, type Program, warning } from "./finding";

const MEND = "Correct the variable or the description; docs/deploy.md lists both";

/** Checks variables and description as the programs do when they start: each problem once, whoever finds it. */
export function settingsFindings(
  environment: Environment,
  programs: ReadonlySet<Program>,
): readonly Finding[] {
  const described = checkDeployment(environment);
  const checks: Record<Program, () => readonly string[]> = {
    app: () => checkInstallation(environment, described).problems,
    prover: () => checkProver(environment).problems,
    facilitator: () => checkFacilitator(environment).problems,
  };
  const problems = [...programs].flatMap((program) => checks[program]());
  return [...new Set([...described.problems, ...misspelled(environment), ...problems])].map((problem) =>
    fault("settings", problem, MEND),
  );
}

/** Finds settings that are valid by themselves and do not fit each other. */
export const checkFit: Check = async ({ environment, programs, deployment, mode }) => {
  const findings: Finding[] = [];
  const isPublic = (url: string) => url.startsWith("https:");
  const proxies = [
    { program: "app", variable: "TRUST_PROXY", url: deployment.services.appUrl },
    { program: "prover", variable: "PROVER_TRUSTED_PROXIES", url: deployment.services.proverUrl },
  ] as const;
  for (const { program, variable, url } of proxies) {
    if (!programs.has(program) || !isPublic(url) || Number(environment[variable] ?? 0) > 0) continue;
    findings.push(
      warning(
        program,
        `${url} is https, which a proxy terminates, and ${variable} is 0: all clients share one address and its limits`,
        `Set ${variable} to the number of proxies in front of the ${program}`,
      ),
    );
  }
  const { CACHE_URL, SESSION_SECRET, SESSION_SECRET_PREVIOUS } = effectiveSettings(
    {
      CACHE_URL: appVariables.CACHE_URL,
      SESSION_SECRET: appVariables.SESSION_SECRET,
      SESSION_SECRET_PREVIOUS: appVariables.SESSION_SECRET_PREVIOUS,
    },
    environment,
  );
  if (programs.has("app") && SESSION_SECRET && SESSION_SECRET === SESSION_SECRET_PREVIOUS) {
    findings.push(
      warning(
        "settings",
        "SESSION_SECRET_PREVIOUS is the same as SESSION_SECRET: nothing is rotated",
        "Set one of them to the new secret (docs/keys.md), or unset SESSION_SECRET_PREVIOUS",
      ),
    );
  }
  if (programs.has("app") && mode === "production" && CACHE_URL === "embedded") {
    findings.push(
      warning(
        "cache",
        "counters and the cache are a table of the database",
        "Set CACHE_URL to a Redis when more than one process of the app runs",
      ),
    );
  }
  return findings;
};

/** Checks that a crash of the prover writes no memory to disk, as far as this shell's limits show. */
export async function checkDumps(
  { programs, mode }: Parameters<Check>[0],
  limits: string | undefined,
): Promise<readonly Finding[]> {
  if (!programs.has("prover") || mode !== "production") return [];
  return dumpProblems({ options: [], inspector: undefined, limits }).map((problem) =>
    warning("prover", problem, "npm run start:prover does it; a unit or a container has to set it itself"),
  );
}
