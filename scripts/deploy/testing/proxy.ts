import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import http, { type IncomingMessage } from "node:http";
import https from "node:https";
import path from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { z } from "zod";
import { selfSigned } from "@/lib/testing/certificate";
import { freePorts } from "../../stack/ports";
import { deployFile } from "../manifests";

const run = promisify(execFile);

/** Returns where a program is; undefined if this machine lacks it. */
export function installed(name: string): string | undefined {
  const folders = [...(process.env.PATH ?? "").split(path.delimiter), "/usr/sbin"];
  return folders.map((folder) => path.join(folder, name)).find((file) => existsSync(file));
}

/** The name of every site that a test serves. */
export const DOMAIN = "parley.localhost";

/** A running proxy in front of two processes of app and prover. */
export interface RunningProxy {
  readonly httpPort: number;
  readonly httpsPort: number;
  stop(): Promise<void>;
}

function startProgram(command: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env) {
  const child = spawn(command, args, { env, stdio: ["ignore", "ignore", "pipe"] });
  const told = text(child.stderr);
  return {
    child,
    async stop() {
      if (child.exitCode === null && child.signalCode === null) {
        const ended = once(child, "exit");
        child.kill("SIGTERM");
        await ended;
      }
      return await told;
    },
  };
}

/** The ports of two processes of the app and two of the prover. */
export interface Upstreams {
  readonly app: readonly [number, number];
  readonly prover: readonly [number, number];
}

/** Starts Caddy with deploy/Caddyfile. @param folder for what it writes */
export async function startCaddy(
  caddy: string,
  folder: string,
  { app, prover }: Upstreams,
): Promise<RunningProxy> {
  const [httpPort = 0, httpsPort = 0] = await freePorts(2);
  const config = path.join(folder, "Caddyfile");
  const options = [
    "admin off",
    "local_certs",
    "skip_install_trust",
    `http_port ${httpPort}`,
    `https_port ${httpsPort}`,
  ];
  await writeFile(config, `{\n${options.join("\n")}\n}\n${deployFile("Caddyfile")}`);
  const listed = (ports: readonly number[]) => ports.map((port) => `127.0.0.1:${port}`).join(" ");
  const env = {
    ...process.env,
    ...{
      DOMAIN,
      APP_UPSTREAMS: listed(app),
      PROVER_UPSTREAMS: listed(prover),
      HOME: folder,
      XDG_DATA_HOME: folder,
      XDG_CONFIG_HOME: folder,
    },
    ...{ FILES_UPSTREAM: listed(app.slice(1)), FACILITATOR_UPSTREAM: listed(prover.slice(1)) },
  };
  await run(caddy, ["validate", "--adapter", "caddyfile", "--config", config], { env });
  const program = startProgram(caddy, ["run", "--adapter", "caddyfile", "--config", config], env);
  return { httpPort, httpsPort, stop: async () => void (await program.stop()) };
}

/** Returns deploy/nginx.conf with the ports of these processes. @param accessLog where it logs */
export function nginxSite({ app, prover }: Upstreams, accessLog: string): string {
  return deployFile("nginx.conf")
    .replaceAll("/var/log/nginx/access.log", accessLog)
    .replaceAll(/^\s*listen \[::\].*$/gm, "")
    .replaceAll("127.0.0.1:3000 ", `127.0.0.1:${app[0]} `)
    .replaceAll("127.0.0.1:3010 ", `127.0.0.1:${app[1]} `)
    .replaceAll("127.0.0.1:3001 ", `127.0.0.1:${prover[0]} `)
    .replaceAll("127.0.0.1:3011 ", `127.0.0.1:${prover[1]} `);
}

/**
 * Runs nginx with nothing but a site.
 * @param folder for its files, which exists
 * @returns stops it
 * @throws Error with nginx' own words if it refuses the site
 */
export async function runNginx(nginx: string, folder: string, site: string): Promise<() => Promise<void>> {
  const config = path.join(folder, "nginx.conf");
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  await writeFile(
    config,
    `daemon off; pid ${folder}/nginx.pid; error_log stderr; ${process.getuid?.() === 0 ? "user root;" : ""}
events {} http { access_log off; ${temporary.join(" ")} ${site} }`,
  );
  const args = ["-e", "stderr", "-p", folder, "-c", config];
  await run(nginx, ["-t", ...args]);
  const program = startProgram(nginx, args);
  return async () => void (await program.stop());
}

/** Starts nginx with deploy/nginx.conf. @param folder for what it writes */
export async function startNginx(nginx: string, folder: string, upstreams: Upstreams): Promise<RunningProxy> {
  const [httpPort = 0, httpsPort = 0] = await freePorts(2);
  const { certificate, key } = await selfSigned(folder, DOMAIN);
  const site = nginxSite(upstreams, path.join(folder, "access.log"))
    .replaceAll("listen 80", `listen 127.0.0.1:${httpPort}`)
    .replaceAll("listen 443", `listen 127.0.0.1:${httpsPort}`)
    .replaceAll("parley.example", DOMAIN)
    .replaceAll(/ssl_certificate .*;/g, `ssl_certificate ${certificate};`)
    .replaceAll(/ssl_certificate_key .*;/g, `ssl_certificate_key ${key};`);
  return { httpPort, httpsPort, stop: await runNginx(nginx, folder, site) };
}

/** Sends a request through the proxy. */
export async function send(
  { httpsPort }: RunningProxy,
  url: string,
  {
    host = DOMAIN,
    ...options
  }: { host?: string; method?: string; headers?: http.OutgoingHttpHeaders; body?: Uint8Array } = {},
): Promise<IncomingMessage> {
  const request = https.request({
    ...{ host: "127.0.0.1", port: httpsPort, path: url, servername: host, method: options.method ?? "GET" },
    headers: { ...options.headers, host },
    // The proxy's own certificate of this test.
    rejectUnauthorized: false,
    agent: false,
  });
  const answered = once(request, "response");
  request.end(options.body);
  const [response] = z
    .tuple([z.custom<IncomingMessage>((value) => value instanceof http.IncomingMessage)])
    .parse(await answered);
  return response;
}
