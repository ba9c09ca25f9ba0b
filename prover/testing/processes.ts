import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { bundleProgram } from "@/lib/testing/bundle";
import { ProverClient } from "./prover-client";
import type { Stack } from "./stack";

const program = fileURLToPath(new URL("./child.ts", import.meta.url));

/** A prover in a process of its own. */
export interface ProverProcess {
  client: ProverClient;
  /** Proofs it was asked to make. */
  proved(): number;
  /** Ends it without warning. */
  kill(): Promise<void>;
  /** Asks it to stop, and waits. */
  stop(): Promise<void>;
  /** Resolves when it has ended. */
  ended: Promise<unknown>;
}

/** Starts prover processes on the chains of a stack. */
export interface ProverProcesses {
  /**
   * @param environment further variables; PROVER_DATABASE_URL is needed
   */
  start(environment: Readonly<Record<string, string>>): Promise<ProverProcess>;
  /** A URL of a new embedded database. */
  newDatabase(): string;
  /** Makes every proof wait that is asked of these processes, until they are released. */
  hold(): Promise<void>;
  release(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Records a proof of the stack's inputs and writes down what the processes need.
 * @param nodeEnv further variables that Node reads when it starts
 */
export async function proverProcesses(
  stack: Stack,
  nodeEnv: Readonly<Record<string, string>> = {},
): Promise<ProverProcesses> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "parley-processes-"));
  const file = (name: string) => path.join(folder, name);
  await writeFile(file("deployment.json"), JSON.stringify(stack.deployment));
  await writeFile(file("proof.json"), JSON.stringify(await boughtProof(stack)));
  await writeFile(file("template.tar"), Buffer.from(await stack.template.arrayBuffer()));
  const running = new Set<ChildProcess>();
  let databases = 0;
  const common = {
    PARLEY_DEPLOYMENT: file("deployment.json"),
    PARLEY_HOME: folder,
    PROVER_PORT: "0",
    PROVER_SECRET: "07".repeat(32),
    PROVER_SETTLEMENT_KEY: stack.settlementKey,
    PROVER_RECONCILE_MS: "3000",
    PROVER_FACILITATOR_TIMEOUT_MS: "5000",
    RECORDED_PROOF: file("proof.json"),
    DATABASE_TEMPLATE: file("template.tar"),
    HOLD_WHILE: file("hold"),
  };
  const bundle = await bundleProgram(program, folder);
  /** The next process, loaded while another one is at work. */
  let spare = load(bundle, nodeEnv);

  return {
    newDatabase() {
      databases += 1;
      return `pglite:${file(`database-${databases}`)}`;
    },
    async hold() {
      await writeFile(common.HOLD_WHILE, "");
    },
    async release() {
      await rm(common.HOLD_WHILE, { force: true });
    },
    async start(environment) {
      const child = spare;
      spare = load(bundle, nodeEnv);
      child.stdin.write(`${JSON.stringify({ ...common, ...environment })}\n`);
      running.add(child);
      const ended = once(child, "exit").then(() => running.delete(child));
      let output = "";
      child.stdout.setEncoding("utf8").on("data", (text: string) => {
        output += text;
      });
      const url = await new Promise<string>((resolve, reject) => {
        const look = () => {
          const found = /listening (\S+)/.exec(output)?.[1];
          if (found) resolve(found);
        };
        child.stdout.on("data", look);
        void ended.then(() => reject(new Error("the prover process ended before it served")));
      });
      const end = async (signal: NodeJS.Signals) => {
        child.kill(signal);
        await ended;
      };
      return {
        client: new ProverClient(url),
        proved: () => output.split("proving\n").length - 1,
        kill: () => end("SIGKILL"),
        stop: () => end("SIGTERM"),
        ended,
      };
    },
    async close() {
      running.add(spare);
      for (const child of running) child.kill("SIGKILL");
      await Promise.all([...running].map((child) => once(child, "exit")));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A process that has loaded the prover and waits to be told what to do. */
function load(bundle: string, nodeEnv: Readonly<Record<string, string>>) {
  // What it does of the database's program is too little to be worth an optimising compiler.
  return spawn(process.execPath, ["--liftoff-only", bundle], {
    stdio: ["pipe", "pipe", "inherit"],
    env: { NODE_ENV: "test", PATH: process.env.PATH, HOME: process.env.HOME, ...nodeEnv },
  });
}

/** A real proof of the stack's inputs. */
async function boughtProof({ start, replaying, payer, inputs }: Stack) {
  const { client, server } = await start({}, replaying());
  const { header } = await (await payer()).sign(await client.offer("eip155:8453"));
  const { result } = await client.buy(inputs, header);
  await server.close();
  if (!result) throw new Error("no proof to record");
  const { proof, publicInputs } = result;
  return { proof, publicInputs };
}
