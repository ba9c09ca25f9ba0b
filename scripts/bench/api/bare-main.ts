import http, { type IncomingMessage, type ServerResponse } from "node:http";
import pg from "pg";
import { z } from "zod";
import { pgTypes } from "@/lib/sql/parsers";
import { StatementNames } from "@/lib/sql/prepared";
import { portOf } from "@/lib/testing/port";
import { bodies } from "./bodies";
import { measureNames, measures, patternOf } from "./measures";
import { type Program, programSchema, Run } from "./program";

/*
 * A bare server beside ours: node:http, a pool of `pg` with prepared statements, the same SQL, JSON.stringify. It trusts
 * its clients: a token only says who sends a request, and nothing is checked.
 */

const bareSetupSchema = z.object({
  url: z.string(),
  poolSize: z.int(),
  members: z.array(z.object({ userId: z.string(), jti: z.string(), token: z.string() })),
  programs: z.partialRecord(z.enum(measureNames), programSchema),
});
export type BareSetup = z.infer<typeof bareSetupSchema>;

interface Route {
  readonly method: string;
  readonly pattern: RegExp;
  readonly status: number;
  readonly program: Program;
  readonly body: (answers: Run["rows"], sender: { readonly userId: string }) => unknown;
}

function start({ url, poolSize, members, programs }: BareSetup): http.Server {
  const pool = new pg.Pool({ connectionString: url, max: poolSize, types: pgTypes() });
  // The end of the database is no failure of this process.
  pool.on("error", () => undefined);
  const names = new StatementNames();
  const byToken = new Map(members.map(({ token, userId, jti }) => [`Bearer ${token}`, { userId, jti }]));
  const routes = measureNames.flatMap((name): Route[] => {
    const { method, status } = measures[name];
    const program = programs[name];
    return program
      ? [{ method, status, program, pattern: patternOf(measures[name]), body: bodies[name] }]
      : [];
  });

  async function runGroups(program: Program, run: Run): Promise<void> {
    for (const { steps } of program) {
      const client = await pool.connect();
      try {
        for (const { text, values } of steps) {
          const given = values.map((value) => run.value(value));
          const name = given.length > 0 ? names.nameOf(text) : undefined;
          const { rows } = await client.query(name ? { name, text, values: given } : { text, values: given });
          run.rows.push(rows);
        }
      } catch (error) {
        client.release(true);
        throw error;
      }
      client.release();
    }
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "", url: path = "", headers } = request;
    const member = byToken.get(headers.authorization ?? "");
    const route = routes.find((one) => one.method === method && one.pattern.test(path));
    if (!member || !route) return void response.writeHead(404).end();
    if (method === "POST") JSON.parse(await textOf(request));
    const run = new Run({ ...member, ...route.pattern.exec(path)?.groups });
    await runGroups(
      route.program.filter(({ after }) => !after),
      run,
    );
    const json = Buffer.from(JSON.stringify(route.body(run.rows, member)));
    response.writeHead(route.status, { "content-type": "application/json", "content-length": json.length });
    response.end(json);
    await runGroups(
      route.program.filter(({ after }) => after),
      run,
    );
  }

  return http.createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      console.error(error);
      if (response.headersSent) response.destroy();
      else response.writeHead(500).end();
    });
  });
}

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts).toString();
}

process.once("message", (message) => {
  const server = start(bareSetupSchema.parse(message));
  server.listen(0, "127.0.0.1", () => process.send?.({ port: portOf(server) }));
});
process.on("disconnect", () => process.exit());
