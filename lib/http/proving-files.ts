import { createHash } from "node:crypto";
import { z } from "zod";
import { Refusal } from "@/lib/errors";
import { pointsFiles } from "@/lib/proofs/ceremony";
import { pointBytes, pointsStream } from "@/lib/proofs/ceremony.server";
import { readArtifact } from "@/lib/proofs/circuits.server";
import { circuitIdSchema, providerSchema } from "@/lib/proofs/deployment";
import { createTrust, type Trust } from "@/lib/proofs/trust";
import { keyStore } from "@/lib/runtime/key-store";
import { getServices } from "@/lib/runtime/services";
import { ownPoints } from "./browser-proving";
import type { RouteHandler } from "./endpoint";
import { errorReply, jsonReply, requestIdOf } from "./reply";

/**
 * What a browser needs to make a proof by itself: compiled circuits, the ceremony's points, the pinned issuers' keys.
 * All of it is public and the same for everybody.
 */

/** What is named by its content, or is the ceremony's, never changes. */
const forEver = "public, max-age=31536000, immutable";
/** How long a key set may be kept: issuers publish new keys well before they sign with them. */
const KEYS_SECONDS = 60;

/** GET /proving/points/g1.dat and g1_compressed.dat, laid out as at the ceremony's hosts; ranges from the beginning. */
export const servePoints: RouteHandler = async (request, { params }) => {
  const requestId = requestIdOf(request.headers);
  try {
    const { file: name } = await params;
    const form = name === pointsFiles.plain ? "plain" : name === pointsFiles.compressed ? "compressed" : null;
    const { config, deployment } = await getServices();
    const offered = deployment.srs.kind === "ignition" && config.browserProving !== "off";
    const file = form && offered ? await ownPoints() : null;
    if (!form || !file)
      throw new Refusal("not_found", { message: "There are no curve points at this address." });
    const size = file.points * pointBytes(form);
    const wanted = /^bytes=0-(\d{1,12})$/.exec(request.headers.get("range") ?? "")?.[1];
    // A cut point is of no use to anybody.
    const count = Math.floor(
      Math.min(wanted === undefined ? size : Number(wanted) + 1, size) / pointBytes(form),
    );
    const bytes = count * pointBytes(form);
    return new Response(pointsStream(file, form, count, request.signal), {
      status: wanted === undefined ? 200 : 206,
      headers: {
        "accept-ranges": "bytes",
        "cache-control": forEver,
        "content-type": "application/octet-stream",
        "content-length": String(bytes),
        ...(wanted === undefined ? {} : { "content-range": `bytes 0-${bytes - 1}/${size}` }),
        "x-request-id": requestId,
      },
    });
  } catch (error) {
    return errorReply(error, requestId, "proving.points");
  }
};

/** GET /proving/circuits/{circuit}/{sha256}: the compiled circuit as this app was built with it, byte for byte. */
export const serveCircuit: RouteHandler = async (request, { params }) => {
  const requestId = requestIdOf(request.headers);
  try {
    const { circuit: name, sha256 } = await params;
    const circuit = circuitIdSchema.safeParse(name);
    const { deployment } = await getServices();
    if (!circuit.success || deployment.verifiers[circuit.data] === undefined) {
      throw new Refusal("not_found", { message: "Circuit not found." });
    }
    const text = await readArtifact(circuit.data, deployment.mode);
    // Never under another name: a page that is older or newer than this process must not keep the wrong bytes.
    if (createHash("sha256").update(text).digest("hex") !== sha256) {
      throw new Refusal("not_found", { message: "This build of the circuit does not exist here." });
    }
    const headers = {
      "cache-control": forEver,
      "content-type": "application/json; charset=utf-8",
      "x-request-id": requestId,
    };
    return new Response(text, { headers });
  } catch (error) {
    return errorReply(error, requestId, "proving.circuits");
  }
};

const keysQuery = z.object({
  issuer: z.string().max(512),
  provider: providerSchema,
  kid: z.string().max(256).optional(),
});

let trust: Promise<Trust> | undefined;

async function openTrust(): Promise<Trust> {
  const { deployment, cache } = await getServices();
  return createTrust(deployment, { store: keyStore(cache) });
}

/**
 * GET /proving/keys?issuer&provider&kid: a pinned issuer's published keys and our clients there. Issuers let no browser
 * read their key sets from another site, and this way they do not learn who is about to prove something.
 */
export const serveKeys: RouteHandler = async (request) => {
  const requestId = requestIdOf(request.headers);
  try {
    const query = keysQuery.safeParse(Object.fromEntries(new URL(request.url).searchParams));
    const { deployment } = await getServices();
    const issuer = deployment.issuers.find(
      (one) => query.success && one.issuer === query.data.issuer && one.provider === query.data.provider,
    );
    if (!issuer || !query.success)
      throw new Refusal("not_found", { message: "This community trusts no such issuer." });
    trust ??= openTrust();
    const { keys } = await (await trust).keysFor(issuer, query.data.kid);
    const { webClientId, deviceClientId, provider } = issuer;
    const body = { issuer: { issuer: issuer.issuer, provider, webClientId, deviceClientId }, keys };
    return jsonReply(200, body, requestId, { "cache-control": `private, max-age=${KEYS_SECONDS}` });
  } catch (error) {
    return errorReply(error, requestId, "proving.keys");
  }
};
