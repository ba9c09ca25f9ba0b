import { mkdir } from "node:fs/promises";
import path from "node:path";
import { deployFile } from "../../deploy/manifests";
import { installed, startNginx } from "../../deploy/proxy-program";
import { freePorts } from "../../stack/ports";

/** The ports of the two processes of each program. */
interface Upstreams {
  readonly app: readonly [number, number];
  readonly prover: readonly [number, number];
}

/**
 * Starts nginx with the rules of deploy/nginx.conf, without TLS: each site has a port instead of a name.
 * @throws Error where nginx is not installed
 */
export async function startProxy(folder: string, { app, prover }: Upstreams) {
  const nginx = installed("nginx");
  if (!nginx) throw new Error("this bench needs nginx: apt-get install nginx-light");
  const [appPort = 0, proverPort = 0, redirects = 0] = await freePorts(3);
  const sites = [appPort, proverPort];
  const site = deployFile("nginx.conf")
    .replaceAll(/^\s*(listen \[::\]|ssl_).*$/gm, "")
    .replace("listen 80", `listen 127.0.0.1:${redirects}`)
    .replaceAll("listen 443 ssl http2", () => `listen 127.0.0.1:${sites.shift()}`)
    .replace("127.0.0.1:3000 ", `127.0.0.1:${app[0]} `)
    .replace("127.0.0.1:3010 ", `127.0.0.1:${app[1]} `)
    .replace("127.0.0.1:3001 ", `127.0.0.1:${prover[0]} `)
    .replace("127.0.0.1:3011 ", `127.0.0.1:${prover[1]} `);
  const own = path.join(folder, "nginx");
  await mkdir(own);
  const program = await startNginx(nginx, own, site);
  return {
    appUrl: `http://127.0.0.1:${appPort}`,
    proverUrl: `http://127.0.0.1:${proverPort}`,
    stop: async () => void (await program.stop()),
  };
}
