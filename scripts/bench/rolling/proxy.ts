import { mkdir } from "node:fs/promises";
import path from "node:path";
import { installed, nginxSite, runNginx, type Upstreams } from "../../deploy/testing/proxy";
import { freePorts } from "../../stack/ports";

/**
 * Starts nginx with the rules of deploy/nginx.conf, without TLS: each site has a port instead of a name.
 * @throws Error where nginx is not installed
 */
export async function startProxy(folder: string, upstreams: Upstreams) {
  const nginx = installed("nginx");
  if (!nginx) throw new Error("this bench needs nginx: apt-get install nginx");
  const [appPort = 0, proverPort = 0, redirects = 0] = await freePorts(3);
  const sites = [appPort, proverPort];
  const own = path.join(folder, "nginx");
  await mkdir(own);
  const site = nginxSite(upstreams, path.join(own, "access.log"))
    .replaceAll(/^\s*ssl_.*$/gm, "")
    .replace("listen 80", `listen 127.0.0.1:${redirects}`)
    .replaceAll("listen 443 ssl http2", () => `listen 127.0.0.1:${sites.shift()}`);
  const stop = await runNginx(nginx, own, site);
  return {
    appUrl: `http://127.0.0.1:${appPort}`,
    proverUrl: `http://127.0.0.1:${proverPort}`,
    stop,
  };
}
