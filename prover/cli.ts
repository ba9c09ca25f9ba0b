import { parseArgs } from "node:util";
import { formatUnits, isHex } from "viem";
import { z } from "zod";
import { hex32Schema } from "@/lib/proofs/hex";
import { readSettings } from "@/lib/settings/read";
import { operatorVariables } from "@/lib/settings/tools";
import { recordRefund, refundFrom, settleRefunds } from "./books/refund";
import { isBundled } from "./bundled";
import { Chains } from "./chains";
import { proverConfig } from "./config";
import { StartRefusedError, startOrExit } from "./env";
import { openStore } from "./store/index";
import type { IncomeLine } from "./store/transfers";

const program = isBundled ? "node index.js" : "npm run prover --";
const usage = `${program} serve                       the prover itself
${program} facilitator                 the self-hosted x402 facilitator
${program} credits                     what is owed to whom
${program} refund <id> [--tx <hash>]   refunds it from REFUND_KEY, or records that <hash> did
${program} income [--from <date>] [--until <date>] [--unmatched]   every transfer received, as CSV

<id> is a payment's, as "credits" and "income" show it, or <chain>:<transaction>:<position> of an unmatched
transfer. With an embedded database stop the prover first: one process owns it.`;

/** Six decimals: every offer's token has them (`paymentOfferSchema`). */
const decimals = 6;
const columns = [
  ...["time", "chain", "transaction", "position", "token", "payer", "recipient", "amount"],
  ...["end", "payment", "circuit", "refund"],
];
const csvLine = (line: IncomeLine) =>
  [
    ...[line.at.toISOString(), line.chainId, line.transaction, line.logIndex, line.asset, line.payer],
    ...[line.payTo, formatUnits(BigInt(line.amount), decimals), line.end, line.paymentId ?? ""],
    ...[line.circuit ?? "", line.refund ?? ""],
  ].join(",");

const services: Readonly<Record<string, () => Promise<unknown>>> = {
  serve: () => import("./main"),
  facilitator: () => import("./facilitator/main"),
};
const service = services[process.argv[2] ?? ""];
if (service) await service();
else await startOrExit(keepBooks);

/** Runs the operator's commands: what is owed, refunds, and income. */
async function keepBooks(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      tx: { type: "string" },
      from: { type: "string" },
      until: { type: "string" },
      unmatched: { type: "boolean", default: false },
    },
  });
  const [command, id] = positionals;
  if (!["credits", "refund", "income"].includes(command ?? "")) throw new StartRefusedError(usage);
  const config = proverConfig(process.env);
  const chains = new Chains(config.deployment);
  const store = await openStore({ url: config.databaseUrl, secret: config.secret });
  try {
    switch (command) {
      case "credits": {
        const owed = await store.credits.owed();
        for (const { id, created_at, payer, network, amount, circuit } of owed) {
          const money = formatUnits(BigInt(amount), decimals);
          console.log([id, created_at.toISOString(), payer, network, money, circuit].join("  "));
        }
        console.log(`${owed.length} credits owed`);
        return;
      }
      case "refund": {
        if (!id || !isReference(id)) throw new StartRefusedError(`refund needs an id\n${usage}`);
        const row = values.tx
          ? await recordRefund(hex32Schema.parse(values.tx), id, chains, store.refunds)
          : await refundFrom(refundKey(), id, chains, store.refunds);
        await settleRefunds(chains, store.refunds);
        console.log(`${formatUnits(BigInt(row.amount), decimals)} to ${row.payee} in ${row.tx_hash}`);
        return;
      }
      case "income": {
        const span = { from: dateOf(values.from), until: dateOf(values.until) };
        const end = values.unmatched ? "unmatched" : undefined;
        const lines = await store.transfers.lines({ ...span, end });
        console.log([columns.join(","), ...lines.map(csvLine)].join("\n"));
        return;
      }
    }
  } finally {
    await store.close();
  }
}

function isReference(id: string): boolean {
  return /^\d+:0x[0-9a-f]{64}:\d+$/.test(id) || (isHex(id) && id.length === 66);
}

function refundKey() {
  return readSettings({ REFUND_KEY: operatorVariables.REFUND_KEY }, process.env).REFUND_KEY;
}

function dateOf(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const parsed = z.coerce.date().safeParse(text);
  if (!parsed.success) throw new StartRefusedError(`"${text}" is not a date`);
  return parsed.data;
}
