import { once } from "node:events";
import { connect, createServer } from "node:net";

/** A service of the stack and its port. */
export interface PortClaim {
  service: string;
  port: number;
  variable: string;
}

/** A port is in use, or assigned twice. The message says what to change. */
export class PortTakenError extends Error {
  override name = "PortTakenError";
}

/**
 * Checks that every port is free on loopback and that no two services share one.
 * @throws PortTakenError naming port, service and environment variable of each conflict
 */
export async function assertPortsFree(claims: readonly PortClaim[]): Promise<void> {
  const problems: string[] = [];
  const owner = new Map<number, PortClaim>();
  for (const claim of claims) {
    const other = owner.get(claim.port);
    if (other) {
      problems.push(
        `Port ${claim.port} is wanted by both ${other.service} (${other.variable}) and ${claim.service} (${claim.variable}).`,
      );
    } else if (await isTaken(claim.port)) {
      problems.push(
        `Port ${claim.port}, wanted by ${claim.service}, is already in use. Stop what uses it, or set ${claim.variable} to a free port.`,
      );
    }
    owner.set(claim.port, claim);
  }
  if (problems.length > 0) throw new PortTakenError(problems.join("\n"));
}

/** Resolves true when a program accepts connections on either loopback address, or when we cannot listen ourselves. */
async function isTaken(port: number): Promise<boolean> {
  // Connecting to ::1 too: a browser tries it first for "localhost" and would reach the other program.
  if ((await answers("127.0.0.1", port)) || (await answers("::1", port))) return true;
  return listenOnce(port).then(
    () => false,
    () => true,
  );
}

/** Returns a port that is free right now. */
export function freePort(): Promise<number> {
  return listenOnce(0);
}

/** Returns several different free ports. */
export async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) ports.add(await freePort());
  return [...ports];
}

async function answers(host: string, port: number): Promise<boolean> {
  const socket = connect({ host, port });
  try {
    await once(socket, "connect", { signal: AbortSignal.timeout(500) });
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** Listens for a moment. @returns the port @throws Error when it is taken */
async function listenOnce(port: number): Promise<number> {
  const server = createServer().listen(port, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  server.close();
  await once(server, "close");
  return address.port;
}
