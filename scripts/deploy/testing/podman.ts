import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { ROOT } from "../../stack/settings";
import { services } from "../manifests";
import { installed } from "./proxy";

const run = promisify(execFile);

const BASE = "localhost/parley-base";
/** Debian of the base that deploy/Dockerfile names. */
const SUITE = "bookworm";
const CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt";

/** Debian's packages of an engine that needs no daemon and no registry, and of a base for images. */
const needed = ["podman", "runc", "catatonit", "mmdebstrap"] as const;
/** Whether images can be built and started here. */
export const hasPodman = process.getuid?.() === 0 && needed.every(installed);

export type Podman = Awaited<ReturnType<typeof startPodman>>;

/**
 * Podman with images, containers and volumes in a temporary folder of its own. Its containers are on this machine's network,
 * where the servers of a test listen.
 * @param secrets what compose.yaml mounts at /run/secrets, by name
 */
export async function startPodman(secrets: Readonly<Record<string, string>>) {
  const folder = await mkdtemp(path.join(os.tmpdir(), "parley-podman-"));
  const options = [
    ...["--root", path.join(folder, "storage"), "--runroot", path.join(folder, "run")],
    ...["--tmpdir", path.join(folder, "tmp"), "--log-level", "error", "--storage-driver", "overlay"],
    // Mounted onto itself, as by default, the storage cannot be removed.
    ...["--storage-opt", "overlay.skip_mount_home=true"],
    // crun refuses a machine with both versions of cgroups, as CI may be.
    ...["--runtime", "runc"],
  ];
  // Podman would hand the health check to systemd's timers; a test asks for it.
  const env = { ...process.env, DISABLE_HC_SYSTEMD: "true" };
  const podman = async (...args: readonly string[]) =>
    (await run("podman", [...options, ...args], { cwd: ROOT, env, maxBuffer: 100_000_000 })).stdout.trim();

  const mounted = path.join(folder, "secrets");
  await mkdir(mounted, { mode: 0o700 });
  for (const [name, value] of Object.entries(secrets))
    await writeFile(path.join(mounted, name), value, { mode: 0o444 });

  /** Returns what a service of compose.yaml asks of an engine, as options. */
  function optionsOf(name: string, variables: Readonly<Record<string, string>>): string[] {
    const service = services[name];
    if (!service) throw new Error(`compose.yaml has no service ${name}`);
    const each = (option: string, values: readonly string[]) => values.flatMap((value) => [option, value]);
    const environment = Object.entries({ ...service.environment, ...variables });
    return [
      ...["--network", "host", "--read-only-tmpfs=false"],
      ...(service.read_only ? ["--read-only"] : []),
      ...(service.init ? ["--init"] : []),
      ...each("--cap-drop", service.cap_drop),
      ...each("--security-opt", service.security_opt),
      ...each("--tmpfs", service.tmpfs),
      ...each("--volume", service.volumes),
      ...each(
        "--volume",
        service.secrets.map((secret) => `${path.join(mounted, secret)}:/run/secrets/${secret}:ro`),
      ),
      ...each(
        "--env",
        environment.map((pair) => pair.join("=")),
      ),
      // A container of CI may not raise its own limits, as Podman would by default.
      ...[
        "--ulimit",
        "nofile=4096",
        "--ulimit",
        "nproc=4096",
        "--ulimit",
        `core=${service.ulimits?.core ?? 0}`,
      ],
      service.image,
      ...service.command,
    ];
  }

  return {
    podman,
    /** Makes the image that deploy/Dockerfile builds on: Debian's packages, and the Node and npm that run this. */
    async buildBase() {
      const archive = path.join(folder, "base.tar");
      const modules = (await run("npm", ["root", "--global"])).stdout.trim();
      const copies = [
        'mkdir -p "$1/usr/local/lib/node_modules"',
        `cp '${process.execPath}' "$1/usr/local/bin/node"`,
        `cp -r '${modules}/npm' "$1/usr/local/lib/node_modules/npm"`,
        'ln -s ../lib/node_modules/npm/bin/npm-cli.js "$1/usr/local/bin/npm"',
      ].join(" && ");
      const packages = ["--variant=minbase", "--include=ca-certificates"];
      await run("mmdebstrap", [...packages, `--customize-hook=${copies}`, SUITE, archive], {
        maxBuffer: 10_000_000,
      });
      await podman("import", "--quiet", archive, BASE);
      await rm(archive);
    },
    /** Builds an image of deploy/Dockerfile. npm reaches its registry as it does on this machine. */
    async build(target: "app" | "prover") {
      const npmrc = path.join(folder, "npmrc");
      const told = async (key: string) => (await run("npm", ["config", "get", key])).stdout.trim();
      const user = await told("userconfig");
      const lines = [
        existsSync(user) ? await readFile(user, "utf8") : "",
        `registry=${await told("registry")}`,
      ];
      if (existsSync(CERTIFICATES)) lines.push(`cafile=${CERTIFICATES}`);
      await writeFile(npmrc, `${lines.join("\n")}\n`, { mode: 0o600 });
      const mounts = [`${npmrc}:/root/.npmrc:ro`];
      if (existsSync(CERTIFICATES)) mounts.push(`${CERTIFICATES}:${CERTIFICATES}:ro`);
      await podman(
        ...["build", "--isolation", "chroot", "--network", "host", "--format", "docker", "--pull=never"],
        ...["--ulimit", "nofile=4096", ...mounts.flatMap((mount) => ["--volume", mount])],
        ...["--build-arg", `BASE=${BASE}`, "--target", target, "--tag", `localhost/parley-${target}`],
        ...["--file", "deploy/Dockerfile", "--ignorefile", "deploy/Dockerfile.dockerignore", ROOT],
      );
    },
    /** Runs a service of compose.yaml to its end. @returns what it printed */
    once: (name: string, variables: Readonly<Record<string, string>> = {}) =>
      podman("run", "--rm", ...optionsOf(name, variables)),
    /** Starts a service of compose.yaml with variables that differ from it, under its name. */
    start: (name: string, variables: Readonly<Record<string, string>>) =>
      podman("run", "--detach", "--name", name, ...optionsOf(name, variables)),
    /** @throws Error with its log if the image's own health check fails, or the container has ended */
    async checkHealth(name: string) {
      await podman("healthcheck", "run", name).catch(async () => {
        throw new Error(`${name} is unhealthy:\n${await podman("logs", "--tail", "50", name)}`);
      });
    },
    /** Runs a command in a container. @returns exit status and output */
    exec: (name: string, ...command: readonly string[]) =>
      run("podman", [...options, "exec", name, ...command], { env }).then(
        ({ stdout }) => ({ code: 0, stdout }),
        ({ code, stdout }: { code: number; stdout: string }) => ({ code, stdout }),
      ),
    /** Ends a container by its stop signal, within the time that compose.yaml gives it. @returns its exit status */
    async stop(name: string) {
      const [seconds = "10"] = /\d+/.exec(services[name]?.stop_grace_period ?? "") ?? [];
      await podman("stop", "--time", seconds, name);
      return Number(await podman("inspect", "--format", "{{.State.ExitCode}}", name));
    },
    async close() {
      await podman("rm", "--all", "--force", "--time", "0");
      await rm(folder, { recursive: true, force: true });
    },
  };
}
