import { connect, createServer } from "node:net";

/** A service of the stack and the port it wants. */
export interface PortClaim {
  service: string;
  port: number;
  /** Environment variable that moves it. */
  variable: string;
}

/** A port that is in use, or asked for twice. The message says what to change. */
export class PortTakenError extends Error {
  override name = "PortTakenError";
}

/**
 * Checks that every port is free on loopback and that no two services want the same one.
 * @throws PortTakenError naming port, service and environment variable of each conflict.
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

/** True when somebody answers on either loopback address, or when we could not listen ourselves. */
async function isTaken(port: number): Promise<boolean> {
  // Connecting to ::1 too: a browser tries it first for "localhost" and would reach the other program.
  if ((await answers("127.0.0.1", port)) || (await answers("::1", port))) return true;
  return !(await canListen(port));
}

/** A port nobody uses at this moment. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      const port = typeof address === "object" && address ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}

/** Several different free ports. */
export async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) ports.add(await freePort());
  return [...ports];
}

function answers(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 500 });
    const finish = (result: boolean) => {
      socket.destroy();
      resolve(result);
    };
    socket.once("connect", () => finish(true));
    socket.once("error", () => finish(false));
    socket.once("timeout", () => finish(false));
  });
}

function canListen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
