import { readFile } from "node:fs/promises";
import { checkDeployment } from "@/lib/proofs/deployment.server";
import { generalVariables } from "@/lib/settings/general";
import { type Environment, effectiveSettings } from "@/lib/settings/read";
import type { Addresses } from "../contracts/deploy/addresses";
import { checkChains } from "./chains";
import type { Check, Finding, Patient, Program } from "./finding";
import { checkGas, checkRecordBoard, checkTokens } from "./money";
import { checkServices } from "./services";
import { checkDumps, checkFit, settingsFindings } from "./settings";
import { checkSetupData } from "./setup-data";
import { checkCache, checkDatabases, checkStorage } from "./stores";
import { checkVerifiers } from "./verifiers";

const checks: readonly Check[] = [
  checkFit,
  checkChains,
  checkVerifiers,
  checkTokens,
  checkGas,
  checkRecordBoard,
  checkDatabases,
  checkCache,
  checkStorage,
  checkSetupData,
  checkServices,
  async (patient) => checkDumps(patient, await readFile("/proc/self/limits", "utf8").catch(() => undefined)),
];

/**
 * Examines an installation: settings, description, and everything that these name. Starts nothing, and leaves nothing
 * behind. Without a valid description only settings are examined.
 * @param addresses contents of contracts/addresses.json
 */
export async function examine(
  environment: Environment,
  programs: ReadonlySet<Program>,
  addresses: Addresses,
): Promise<readonly Finding[]> {
  const settings = settingsFindings(environment, programs);
  const { deployment } = checkDeployment(environment);
  if (!deployment) return settings;
  const { PARLEY_MODE } = effectiveSettings({ PARLEY_MODE: generalVariables.PARLEY_MODE }, environment);
  const mode = PARLEY_MODE ?? (programs.has("app") ? "development" : deployment.mode);
  const patient: Patient = { environment, programs, deployment, mode, addresses };
  return [...settings, ...(await Promise.all(checks.map((check) => check(patient)))).flat()];
}
