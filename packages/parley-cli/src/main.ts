#!/usr/bin/env node
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import yargs from "yargs";
import { z } from "zod";
import { mcpServer } from "@/lib/mcp/server";
import { tools } from "@/lib/mcp/tools";
import manifest from "../package.json" with { type: "json" };
import { callOperation, exportAccount, listOperations } from "./calls";
import { addTool, FROM_INPUT } from "./commands";
import { exits, Failure } from "./failure";
import { followChat } from "./follow-chat";
import { login, logout, type Options, runTool, surroundingsOf } from "./session";
import { print, say } from "./terminal";

/** The options of every command. */
const options = z.object({ url: z.string().optional(), json: z.boolean().default(false) });
let given: Options = { json: process.argv.includes("--json") };

const program = yargs(process.argv.slice(2).map((argument) => (argument === "-" ? FROM_INPUT : argument)))
  .scriptName("parley")
  .usage("$0 <command>")
  .option("url", {
    type: "string",
    describe: "Address of the installation, if not the one signed in to last (PARLEY_URL)",
  })
  .option("json", { type: "boolean", default: false, describe: "Print JSON, for programs" })
  .middleware((args) => {
    given = options.parse(args);
  })
  .command(
    "login <address>",
    "Keep a token for automation, piped in or typed unseen (PARLEY_TOKEN replaces a kept one)",
    (own) =>
      own.positional("address", { type: "string", demandOption: true, describe: "Of the installation" }),
    ({ address }) => login(address, given),
  )
  .command(
    "prove <circuit>",
    "Buy a zero-knowledge proof; sign in or join a topic with it (parley prove --help)",
    (own) => own.strict(false),
    () => {
      throw new Failure("usage", "Options come after prove: parley prove <circuit> --url …");
    },
  )
  .command("logout", "Forget the token on this device", {}, () => logout(given))
  .command("mcp", "Serve the commands below as tools to a model, over stdio (MCP)", {}, async () => {
    const at = await surroundingsOf(given);
    serveStdio(() => mcpServer(at));
  });
program
  .command(
    "follow-chat <topicId>",
    "Print the messages of a chat as they come",
    (own) => own.positional("topicId", { type: "string", demandOption: true }),
    ({ topicId }) => followChat(topicId, given),
  )
  .command(
    "export <file>",
    "Write everything that is the member's to a new file (ZIP)",
    (own) => own.positional("file", { type: "string", demandOption: true }),
    ({ file }) => exportAccount(file, given),
  )
  .command(
    "operations [words..]",
    "List the operations of the API, those with all of these words",
    (own) => own.positional("words", { type: "string", array: true, default: [] }),
    ({ words }) => listOperations(words, given),
  )
  .command(
    "call <operation> [fields..]",
    "Call any operation of the API: staff's acts, records, settings",
    (own) =>
      own
        .positional("operation", { type: "string", demandOption: true, describe: "Its id" })
        .positional("fields", {
          ...{ type: "string", array: true, default: [] },
          describe: 'name=text or name:=JSON; "-" reads a JSON object from standard input',
        }),
    ({ operation, fields }) => callOperation(operation, fields, given),
  );
for (const tool of tools) addTool(program, tool, (chosen, input) => runTool(chosen, input, given));
program
  .completion("completion", "Print a script with which the shell completes commands")
  .demandCommand(1, "Which command?")
  .strict()
  .version(manifest.version)
  .wrap(Math.min(100, process.stdout.columns || 100))
  .epilogue(
    `Exit status: ${Object.entries(exits)
      .map(([what, status]) => `${status} ${what}`)
      .join(", ")}.`,
  )
  .exitProcess(false)
  .fail((message, error) => {
    throw error ?? new Failure("usage", `${message} See parley --help.`);
  });

const [command, ...rest] = process.argv.slice(2);
try {
  // Loaded on demand: signing and chains are half of the program.
  if (command === "prove") process.exitCode = await (await import("./prove")).prove(rest);
  else await program.parseAsync();
} catch (error) {
  const failure =
    error instanceof Failure
      ? error
      : new Failure("failed", error instanceof Error ? error.message : String(error));
  if (given.json) print({ error: failure.message, ...failure.facts }, true);
  else say(failure.message);
  process.exitCode = exits[failure.kind];
}
