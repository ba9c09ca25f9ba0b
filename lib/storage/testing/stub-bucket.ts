import { createHash, createHmac } from "node:crypto";
import http, { type IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";
import { portOf } from "@/lib/testing/port";

/**
 * A stand-in for an S3 bucket, in memory. It checks AWS Signature Version 4 by the book (written apart from the
 * library that signs), in the header and in the query, with expiry; of S3 it knows PUT, GET, HEAD and DELETE of an
 * object, and ListObjectsV2 in pages of two. It is a mock: nothing here was tried against AWS or R2.
 */
export interface StubBucket {
  /** Address of the bucket. */
  readonly url: string;
  readonly objects: Map<string, { contentType: string; bytes: Buffer }>;
  /** How far its clock is ahead. */
  aheadSeconds: number;
  close(): Promise<void>;
}

export interface StubOptions {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly region: string;
  readonly name: string;
}

export async function startStubBucket(options: StubOptions): Promise<StubBucket> {
  const objects: StubBucket["objects"] = new Map();
  const server = http.createServer(async (request, response) => {
    const bytes = await buffer(request);
    const key = decodeURIComponent(new URL(request.url ?? "", "http://h").pathname).slice(
      options.name.length + 2,
    );
    const answer = (status: number, body?: Buffer) => response.writeHead(status).end(body);
    if (!isSigned(request, bytes, options, Date.now() + stub.aheadSeconds * 1000)) return answer(403);
    if (request.method === "PUT") {
      objects.set(key, { contentType: request.headers["content-type"] ?? "", bytes });
      return answer(200);
    }
    if (key === "") return answer(200, Buffer.from(pageOf(objects, request.url ?? "")));
    const found = objects.get(key);
    if (request.method === "DELETE") {
      objects.delete(key);
      return answer(204);
    }
    return found ? answer(200, found.bytes) : answer(404);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const port = portOf(server);
  const stub: StubBucket = {
    url: `http://127.0.0.1:${port}/${options.name}`,
    objects,
    aheadSeconds: 0,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return stub;
}

/** Two keys, with a prefix and after one, as ListObjectsV2 answers. */
function pageOf(objects: StubBucket["objects"], address: string): string {
  const query = new URL(address, "http://h").searchParams;
  const after = query.get("start-after") ?? "";
  const keys = [...objects.keys()].filter((key) => key.startsWith(query.get("prefix") ?? "")).sort();
  const rest = keys.filter((key) => key > after);
  const contents = rest.slice(0, 2).map((key) => `<Contents><Key>${encode(key)}</Key></Contents>`);
  return `<ListBucketResult><IsTruncated>${rest.length > 2}</IsTruncated>${contents.join("")}</ListBucketResult>`;
}

/** Whether a request carries a signature that holds for it now. */
function isSigned(request: IncomingMessage, body: Buffer, options: StubOptions, now: number): boolean {
  const url = new URL(request.url ?? "", `http://${request.headers.host}`);
  const query = url.searchParams;
  const inQuery = query.has("X-Amz-Signature");
  const header = /Credential=([^,]+), SignedHeaders=([^,]+), Signature=([0-9a-f]+)/.exec(
    request.headers.authorization ?? "",
  );
  const credential = inQuery ? query.get("X-Amz-Credential") : header?.[1];
  const signedHeaders = (inQuery ? query.get("X-Amz-SignedHeaders") : header?.[2]) ?? "";
  const given = inQuery ? query.get("X-Amz-Signature") : header?.[3];
  const date = String(inQuery ? query.get("X-Amz-Date") : request.headers["x-amz-date"]);
  const scope = `${date.slice(0, 8)}/${options.region}/s3/aws4_request`;
  if (credential !== `${options.accessKeyId}/${scope}` || !signedHeaders.split(";").includes("host"))
    return false;
  const made = Date.parse(date.replace(/^(....)(..)(..T..)(..)(..Z)$/, "$1-$2-$3:$4:$5"));
  const life = inQuery ? Number(query.get("X-Amz-Expires")) : 900;
  if (!(now >= made - 60_000 && now < made + life * 1000)) return false;
  const payload = inQuery ? "UNSIGNED-PAYLOAD" : String(request.headers["x-amz-content-sha256"]);
  const isHash = /^[0-9a-f]{64}$/.test(payload);
  if (isHash && payload !== createHash("sha256").update(body).digest("hex")) return false;
  const canonical = [
    request.method,
    url.pathname
      .split("/")
      .map((part) => encode(decodeURIComponent(part)))
      .join("/"),
    [...query]
      .filter(([name]) => name !== "X-Amz-Signature")
      .map(([name, value]) => `${encode(name)}=${encode(value)}`)
      .sort()
      .join("&"),
    ...signedHeaders.split(";").map((name) => `${name}:${String(request.headers[name] ?? "").trim()}`),
    "",
    signedHeaders,
    payload,
  ].join("\n");
  const hash = createHash("sha256").update(canonical).digest("hex");
  const mac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest();
  const key = scope.split("/").reduce<string | Buffer>(mac, `AWS4${options.secretAccessKey}`);
  return mac(key, ["AWS4-HMAC-SHA256", date, scope, hash].join("\n")).toString("hex") === given;
}

/** RFC 3986, as AWS writes it. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
