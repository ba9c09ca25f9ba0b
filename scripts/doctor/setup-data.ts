import path from "node:path";
import type { Hex } from "viem";
import { ceremonyFile } from "@/lib/proofs/ceremony.server";
import { generalVariables } from "@/lib/settings/general";
import { effectiveSettings } from "@/lib/settings/read";
import { inspectSrs } from "@/prover/barretenberg/srs";
import { type Check, fault, warning } from "./finding";

/** The smallest number of points a circuit of ours could need, as a power of two. */
const SMALLEST = 2 ** 12;

const DOWNLOAD =
  "Put bn254_g1.dat and bn254_g2.dat of Aztec's ceremony there; docs/deploy.md says from where";

/** Checks that the ceremony's points are here, and are those that the verifiers were made with. */
export const checkSetupData: Check = async ({ environment, programs, deployment }) => {
  if (!programs.has("prover") || deployment.srs.kind !== "ignition") return [];
  const about = "setup data";
  const { CRS_PATH } = effectiveSettings({ CRS_PATH: generalVariables.CRS_PATH }, environment);
  const found = await ceremonyFile(environment);
  if (CRS_PATH && (!found || path.dirname(found.path) !== path.resolve(CRS_PATH))) {
    return [fault(about, `CRS_PATH (${CRS_PATH}) holds no points of the ceremony`, DOWNLOAD)];
  }
  if (!found) {
    const mend = `Set CRS_PATH. ${DOWNLOAD}`;
    return [
      warning(
        about,
        "there are no points of the ceremony here: the prover downloads them at its start",
        mend,
      ),
    ];
  }
  if (await hasDigest(path.dirname(found.path), found.points, deployment.srs.digest)) return [];
  const problem = `none of the first 2^n of the ${found.points} points at ${found.path} have the description's digest`;
  const mend =
    "Get more points, or correct srs.digest: srsDigest of the largest circuit in contracts/addresses.json";
  return [fault(about, problem, mend)];
};

/**
 * Returns whether the first 2^n points in a folder, for some n, have this digest: that of a description is of as many
 * points as the largest circuit needs.
 */
export async function hasDigest(folder: string, available: number, digest: Hex): Promise<boolean> {
  for (let points = SMALLEST; points <= available; points *= 2) {
    const srs = await inspectSrs(folder, points);
    if (srs && `0x${srs.digest}` === digest) return true;
  }
  return false;
}
