import { createHash } from "node:crypto";
import path from "node:path";
import { z } from "zod";
import { Refusal } from "@/lib/errors";
import type { BrowserProving, ProvingSheet } from "@/lib/proofs/artifact";
import {
  CEREMONY_HOSTS,
  MEMBERSHIP_PREFIX,
  POINT_BYTES,
  pointsFiles,
  pointsPart,
} from "@/lib/proofs/ceremony";
import { ceremonyFile, type PointsFile, pointBytes, pointsStream } from "@/lib/proofs/ceremony.server";
import { provingSheets, readArtifact } from "@/lib/proofs/circuits.server";
import {
  type CircuitId,
  circuitIdSchema,
  circuitIds,
  type Deployment,
  providerSchema,
} from "@/lib/proofs/deployment";
import { createTrust, type Trust } from "@/lib/proofs/trust";
import type { Config } from "@/lib/runtime/config";
import { keyStore } from "@/lib/runtime/key-store";
import { getServices } from "@/lib/runtime/services";
import { jsonReply, route, webResponse } from "./reply";

/** What a browser needs to prove by itself: circuits, points, issuers' keys. All public, the same for everyone. */

/** For files that never change: the ceremony's, and those named by their content. */
const IMMUTABLE = "public, max-age=31536000, immutable";
/** How long a browser may keep a key set: issuers publish new keys well before they sign with them. */
const KEYS_SECONDS = 60;

/**
 * GET /proving/points/g1.dat and g1_compressed.dat, in the layout of the ceremony's hosts; takes ranges from the
 * start.
 */
export const servePoints = route("proving.points", async (request, { file: name }, requestId) => {
  if (name === path.basename(MEMBERSHIP_PREFIX.path)) return membershipPoints(request, requestId);
  const form = name === pointsFiles.plain ? "plain" : name === pointsFiles.compressed ? "compressed" : null;
  const { config, deployment } = await getServices();
  const offered = deployment.srs.kind === "ignition" && config.browserProving !== "off";
  const file = form && offered ? await ownPoints() : null;
  if (!form || !file)
    throw new Refusal("not_found", { message: "There are no curve points at this address." });
  const size = file.points * pointBytes(form);
  const wanted = /^bytes=0-(\d{1,12})$/.exec(request.headers.get("range") ?? "")?.[1];
  // A partial point is useless.
  const count = Math.floor(
    Math.min(wanted === undefined ? size : Number(wanted) + 1, size) / pointBytes(form),
  );
  const bytes = count * pointBytes(form);
  return new Response(pointsStream(file, form, count, request.signal), {
    status: wanted === undefined ? 200 : 206,
    headers: {
      "accept-ranges": "bytes",
      "cache-control": IMMUTABLE,
      "content-type": "application/octet-stream",
      "content-length": String(bytes),
      ...(wanted === undefined ? {} : { "content-range": `bytes 0-${bytes - 1}/${size}` }),
      "x-request-id": requestId,
    },
  });
});

/** Read by path, so next.config.ts names it for whoever packages the app. */
const MEMBERSHIP_FILE = path.join("lib", "proofs", "crs", "bn254_g1.dat");

/** GET /proving/points/membership.dat: what anonymous_membership takes, whatever else browsers may prove here. */
function membershipPoints({ signal }: Request, requestId: string): Response {
  const { points } = MEMBERSHIP_PREFIX;
  const file = { path: path.join(/* turbopackIgnore: true */ process.cwd(), MEMBERSHIP_FILE), points };
  return new Response(pointsStream(file, "plain", points, signal), {
    headers: {
      "cache-control": IMMUTABLE,
      "content-type": "application/octet-stream",
      "content-length": String(points * POINT_BYTES),
      "x-request-id": requestId,
    },
  });
}

/** GET /proving/circuits/{circuit}/{sha256}: the compiled circuit of this build, byte for byte. */
export const serveCircuit = route("proving.circuits", async (_, { circuit: name, sha256 }, requestId) => {
  const circuit = circuitIdSchema.safeParse(name);
  const { deployment } = await getServices();
  if (!circuit.success || deployment.verifiers[circuit.data] === undefined) {
    throw new Refusal("not_found", { message: "Circuit not found." });
  }
  const text = await readArtifact(circuit.data, deployment.mode);
  // Never under another hash: an older or newer page must not cache the wrong bytes.
  if (createHash("sha256").update(text).digest("hex") !== sha256) {
    throw new Refusal("not_found", { message: "This build of the circuit does not exist here." });
  }
  const headers = {
    "cache-control": IMMUTABLE,
    "content-type": "application/json; charset=utf-8",
    "x-request-id": requestId,
  };
  return new Response(text, { headers });
});

const keysQuery = z.object({
  issuer: z.string().max(512),
  provider: providerSchema,
  kid: z.string().max(256).optional(),
});

let trust: Trust | undefined;

/**
 * GET /proving/keys?issuer&provider&kid: a pinned issuer's published keys and our client ids there. Issuers do not
 * let a browser read their keys from another site, and this way they do not learn who is about to prove something.
 */
export const serveKeys = route("proving.keys", async (request, _, requestId) => {
  const query = keysQuery.safeParse(Object.fromEntries(new URL(request.url).searchParams));
  const { deployment, cache } = await getServices();
  const issuer = deployment.issuers.find(
    (one) => query.success && one.issuer === query.data.issuer && one.provider === query.data.provider,
  );
  if (!issuer || !query.success)
    throw new Refusal("not_found", { message: "This community trusts no such issuer." });
  trust ??= createTrust(deployment, { store: keyStore(cache) });
  const { keys } = await trust.keysFor(issuer, query.data.kid);
  const { webClientId, deviceClientId, provider } = issuer;
  const body = { issuer: { issuer: issuer.issuer, provider, webClientId, deviceClientId }, keys };
  return webResponse(
    jsonReply(200, body, requestId, { "cache-control": `private, max-age=${KEYS_SECONDS}` }),
  );
});

export const POINTS_PATH = "/proving/points";

let found: PointsFile | null = null;

/**
 * Returns the ceremony's points on this machine. Looks again until it finds them, since the prover may still be
 * fetching them.
 */
async function ownPoints(): Promise<PointsFile | null> {
  found ??= await ceremonyFile();
  return found;
}

/**
 * Returns what browsers may prove with, by the installation's settings and the files on this machine.
 * @param points the ceremony's points here; tests replace it
 */
export async function browserProvingOffer(
  deployment: Pick<Deployment, "mode" | "srs" | "verifiers">,
  setting: Config["browserProving"],
  points: () => Promise<PointsFile | null> = ownPoints,
): Promise<BrowserProving> {
  // Barretenberg's WASM build has the ceremony compiled in and takes no other setup.
  if (deployment.srs.kind === "development") return { offered: false, reason: "development_srs" };
  if (setting === "off") return { offered: false, reason: "not_offered" };
  const sheets = await provingSheets(deployment);
  const file = await points();
  const isHere = (sheet: ProvingSheet) => file !== null && pointsPart(sheet.points).points <= file.points;
  const circuits: Partial<Record<CircuitId, ProvingSheet>> = {};
  for (const circuit of circuitIds) {
    const sheet = sheets[circuit];
    if (sheet && (setting === "any" || isHere(sheet))) circuits[circuit] = sheet;
  }
  const pointSources = [...(file ? [POINTS_PATH] : []), ...(setting === "any" ? CEREMONY_HOSTS : [])];
  return Object.keys(circuits).length > 0
    ? { offered: true, pointSources, circuits }
    : { offered: false, reason: "not_offered" };
}
