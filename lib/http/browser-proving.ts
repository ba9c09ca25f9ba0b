import type { BrowserProving, ProvingSheet } from "@/lib/proofs/artifact";
import { CEREMONY_HOSTS, pointsPart } from "@/lib/proofs/ceremony";
import { ceremonyFile, type PointsFile } from "@/lib/proofs/ceremony.server";
import { provingSheets } from "@/lib/proofs/circuits.server";
import type { CircuitId, Deployment } from "@/lib/proofs/deployment";
import type { BrowserProvingSetting } from "@/lib/runtime/config";

/** Where this app hands out points and circuits. */
export const POINTS_PATH = "/proving/points";

let found: PointsFile | null = null;

/** The ceremony's points on this machine; looked for until they are there, since the prover may just be fetching them. */
export async function ownPoints(): Promise<PointsFile | null> {
  found ??= await ceremonyFile(process.env);
  return found;
}

/**
 * What browsers are offered, by the installation and what this machine has.
 * @param points the ceremony's points here, for tests
 */
export async function browserProvingOffer(
  deployment: Pick<Deployment, "mode" | "srs" | "verifiers">,
  setting: BrowserProvingSetting,
  points: () => Promise<PointsFile | null> = ownPoints,
): Promise<BrowserProving> {
  // Barretenberg's WASM build has the ceremony compiled in and takes nothing else.
  if (deployment.srs.kind === "development") return { offered: false, reason: "development_srs" };
  if (setting === "off") return { offered: false, reason: "not_offered" };
  const sheets = await provingSheets(deployment);
  const file = await points();
  const isHere = (sheet: ProvingSheet) => file !== null && pointsPart(sheet.points).points <= file.points;
  const circuits: Partial<Record<CircuitId, ProvingSheet>> = {};
  for (const [circuit, sheet] of entries(sheets)) {
    if (setting === "any" || isHere(sheet)) circuits[circuit] = sheet;
  }
  const pointSources = [...(file ? [POINTS_PATH] : []), ...(setting === "any" ? CEREMONY_HOSTS : [])];
  return Object.keys(circuits).length > 0
    ? { offered: true, pointSources, circuits }
    : { offered: false, reason: "not_offered" };
}

function entries<K extends string, V>(record: Partial<Record<K, V>>): readonly (readonly [K, V])[] {
  const found: (readonly [K, V])[] = [];
  for (const key in record) {
    const value = record[key];
    if (value !== undefined) found.push([key, value]);
  }
  return found;
}
