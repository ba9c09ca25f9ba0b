import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { words } from "@/lib/i18n/english";
import { keptNames, keptRows } from "./kept";

const root = path.resolve(import.meta.dirname, "../../..");

/** The tables that each row of /privacy is about. A new table goes into one of them, or gets a row of its own. */
const told: Readonly<Partial<Record<(typeof keptNames)[number], string>>> = {
  account: "users",
  proof: "verifications",
  used: "used_proofs",
  badge: "domain_badges limited_badges",
  sessions: "sessions",
  tokens: "automation_tokens",
  writing:
    "topics topic_search posts post_search tags topic_tags post_tags polls poll_options comments comment_search mentions chat_messages chat_changes",
  drafts: "drafts scheduled_posts",
  files: "uploads",
  acts: "poll_votes votes comment_votes reactions chat_reactions",
  presence: "chat_connections",
  records: "records",
  membership: "join_requests memberships topic_identities invite_tokens ownership_offers",
  crowd: "crowd_leaves",
  anonymous: "anonymous_acts anonymous_bans anonymous_pictures secret_ballots",
  lists:
    "bookmarks blocks follows topic_mutes notification_settings topic_notification_levels thread_levels digests private_feeds",
  reading: "topic_reads thread_reads",
  notifications: "inboxes notifications push_deliveries",
  push: "push_subscriptions",
  reports: "reports desk_reports",
  moderation:
    "removals remembered_identities sanctions account_sanctions moderation_log operators installation_log",
  apps: "apps",
  webhooks: "webhooks topic_events",
  holds: "legal_holds held_texts held_files blocked_files",
  notes: "staff_notes",
  limits: "identity_days recent_texts topic_paces record_days",
  brief: "challenges proof_requests idempotency_keys",
  network: "cache_entries",
};

/** Tables that say nothing of anyone: counters, settings of the installation, the chain's bookkeeping. */
const ofNobody =
  "categories crowds crowd_roots topic_deltas post_deltas reaction_counts chat_rooms chat_starts live_processes announcements webhook_streams app_signing_keys installation_log_records installation_log_head removed_addresses chain_wallets chain_transactions chain_signatures";

/** Rows about what is not in the app's database. */
const elsewhere = ["prover", "backups"];

/** Names of the tables in the types of the database. */
function tables(): string[] {
  const schema = path.join(root, "db/schema");
  const files = [
    ...readdirSync(schema).map((file) => path.join(schema, file)),
    path.join(root, "lib/chain/tables.ts"),
  ];
  return files
    .flatMap((file) => [
      ...readFileSync(file, "utf8").matchAll(/export (?:interface|type) \w*Tables[^{]*\{(.*?)\n\}/gs),
    ])
    .flatMap(([, body = ""]) => [...body.matchAll(/^ {2}(\w+): (?:\{|\w+;)/gm)])
    .map(([, name = ""]) => name);
}

describe("what is kept, as /privacy tells it", () => {
  it("covers every table of the database", () => {
    const known = new Set(
      [...keptNames.map((name) => told[name] ?? ""), ofNobody].flatMap((names) => names.split(" ")),
    );
    expect(tables().length).toBeGreaterThan(60);
    expect(
      tables().filter((table) => !known.has(table)),
      "tables that /privacy does not tell about: add them to a row, or add a row",
    ).toEqual([]);
  });

  it("has no row about nothing", () => {
    expect(keptNames.filter((name) => !told[name] && !elsewhere.includes(name))).toEqual([]);
  });

  it("states the days that the code enforces", () => {
    const row = (name: string) => keptRows(words).find((one) => one.row === name)?.howLong;
    expect(row("proof")).toBe("30 days");
    expect(row("reports")).toContain("90 days after the decision");
    expect(row("sessions")).toContain("after 7 days without a visit, or 30 days after the proof");
  });
});
