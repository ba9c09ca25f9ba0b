import { createDecipheriv, createECDH, type ECDH, hkdfSync, randomBytes } from "node:crypto";
import http from "node:http";
import { importJWK, jwtVerify } from "jose";
import webPush from "web-push";
import { z } from "zod";
import { type PublicWeb, publicWeb } from "@/lib/preview/web";
import { portOf } from "@/lib/testing/port";

/** A message the stub received, decrypted. */
interface Received {
  readonly path: string;
  readonly headers: http.IncomingHttpHeaders;
  /** The payload's JSON, and its length before encryption. */
  readonly payload: unknown;
  readonly length: number;
}

const vapid = webPush.generateVAPIDKeys();

/** Settings of an installation that sends push messages. */
export const pushEnv = {
  VAPID_PUBLIC_KEY: vapid.publicKey,
  VAPID_PRIVATE_KEY: vapid.privateKey,
  VAPID_SUBJECT: "mailto:push@example.org",
};

const origin = "https://push.example";

/**
 * A STUB of a push service and its subscribed browsers: tests cannot reach a real one. It checks messages against RFC
 * 8030 (TTL), RFC 8291 (it decrypts with the browser's keys) and RFC 8292 (it checks the VAPID token with the
 * subscription's key). TLS ends before it.
 */
export async function startPushService() {
  const received: Received[] = [];
  const failures: unknown[] = [];
  const browsers = new Map<string, Browser>();
  let answer: (path: string) => { status: number; headers?: Record<string, string> } = () => ({
    status: 201,
  });
  const server = http.createServer(async (request, response) => {
    const path = request.url ?? "";
    try {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const body = Buffer.concat(chunks);
      await checkToken(request.headers.authorization ?? "");
      if (!/^\d+$/.test(String(request.headers.ttl))) throw new Error("no TTL");
      const browser = browsers.get(path) ?? fail(`nobody subscribed at ${path}`);
      const text = decrypt(browser, body, request.headers["content-encoding"]);
      received.push({ path, headers: request.headers, payload: JSON.parse(text), length: text.length });
    } catch (error) {
      failures.push(error);
    }
    const { status, headers } = answer(path);
    response.writeHead(status, headers).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const port = portOf(server);
  const outside = publicWeb();
  const local = publicWeb({
    ports: [port],
    allows: (ip) => ip === "127.0.0.1",
    resolve: async () => [{ address: "127.0.0.1", family: 4 }],
  });
  const web: PublicWeb = {
    read: outside.read,
    get: outside.get,
    post: async (url, message) => {
      if (url.origin !== origin) return await outside.post(url, message);
      return await local.post(new URL(url.pathname, `http://push.example:${port}`), message);
    },
  };
  return {
    web,
    /** Where messages to it are taken, by path. */
    port,
    received,
    /** Violations of the RFCs. */
    failures,
    /** Sets its response from now on. */
    answer(how: typeof answer) {
      answer = how;
    },
    /** Subscribes a browser and returns what it would send to us. */
    subscribe() {
      const path = `/${randomBytes(8).toString("hex")}`;
      const ecdh = createECDH("prime256v1");
      ecdh.generateKeys();
      const auth = randomBytes(16);
      browsers.set(path, { ecdh, auth });
      const keys = { p256dh: ecdh.getPublicKey("base64url"), auth: auth.toString("base64url") };
      return { endpoint: origin + path, path, keys };
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Browser {
  readonly ecdh: ECDH;
  readonly auth: Uint8Array;
}

function fail(why: string): never {
  throw new Error(why);
}

/** RFC 8292: signed with the published key, for this service, for at most a day. */
async function checkToken(authorization: string): Promise<void> {
  const [, token = "", key = ""] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(authorization) ?? [];
  if (key !== pushEnv.VAPID_PUBLIC_KEY) throw new Error("another VAPID key");
  const point = Buffer.from(key, "base64url");
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString("base64url"));
  const { payload } = await jwtVerify(token, await importJWK({ kty: "EC", crv: "P-256", x, y }, "ES256"), {
    audience: origin,
    algorithms: ["ES256"],
  });
  const { exp, sub } = z.object({ exp: z.number(), sub: z.string() }).parse(payload);
  if (exp - Date.now() / 1000 > 24 * 60 * 60) throw new Error("the token lasts longer than a day");
  if (sub !== pushEnv.VAPID_SUBJECT) throw new Error("another subject");
}

/** Decrypts a message in one record (RFC 8291, 3.4; RFC 8188). */
function decrypt({ ecdh, auth }: Browser, body: Buffer, encoding: string | undefined): string {
  if (encoding !== "aes128gcm") throw new Error(`content-encoding ${encoding}`);
  const salt = body.subarray(0, 16);
  const keyLength = body.readUInt8(20);
  const sender = body.subarray(21, 21 + keyLength);
  const sealed = body.subarray(21 + keyLength);
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), ecdh.getPublicKey(), sender]);
  const secret = Buffer.from(hkdfSync("sha256", ecdh.computeSecret(sender), auth, info, 32));
  const derive = (label: string, length: number) =>
    Buffer.from(hkdfSync("sha256", secret, salt, `Content-Encoding: ${label}\0`, length));
  const decipher = createDecipheriv("aes-128-gcm", derive("aes128gcm", 16), derive("nonce", 12));
  decipher.setAuthTag(sealed.subarray(-16));
  const record = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
  const end = record.lastIndexOf(2);
  if (end < 0 || record.subarray(end + 1).some((byte) => byte !== 0)) throw new Error("no delimiter");
  return record.subarray(0, end).toString("utf8");
}
