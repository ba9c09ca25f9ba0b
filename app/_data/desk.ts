import { cache } from "react";
import type { CasePerson } from "@/components/staff/queue/case";
import * as community from "@/lib/community";
import { type ClientInput, contract } from "@/lib/contract";
import type { OperatorRole } from "@/lib/contract/desk";
import { pageContext } from "@/lib/http/page";
import { myPicture } from "./me";
import { read, readAsMember } from "./result";

/** What the pages of operators, and the queue of staff, read. Null for a guest where the visitor must be signed in. */

/** The visitor as the acts of a queue name them; null for a guest. */
export const queueReader = cache(async (): Promise<CasePerson | null> => {
  const { caller } = await pageContext();
  if (!caller) return null;
  return { userId: caller.userId, nickname: caller.nickname, profileImage: await myPicture() };
});

/** Someone with a role on the installation. */
export interface DeskViewer {
  readonly userId: string;
  readonly role: OperatorRole;
}

/** The visitor with their role on the installation; null for everyone without one. */
export const deskViewer = cache(async (): Promise<DeskViewer | null> => {
  const { caller } = await pageContext();
  return caller?.operator ? { userId: caller.userId, role: caller.operator } : null;
});

/** How much waits for the visitor; null for a guest. */
export const openWork = cache(async () => {
  const { caller, db } = await pageContext();
  return caller && community.readOpenWork(db, caller);
});

/** The reports to the operators. */
export const deskReports = (query: ClientInput<typeof contract.desk.reports>) =>
  readAsMember((ctx) => community.listDeskReports(ctx, contract.desk.reports.query.parse(query)));

/** The history of an account. */
export const deskAccount = (userId: string) => readAsMember((ctx) => community.readAccount(ctx, { userId }));

/** Accounts by the start of a nickname, or by user id. */
export const deskAccounts = (q: string) => readAsMember((ctx) => community.findAccounts(ctx, { q }));

/** Who has a role on the installation. */
export const deskOperators = () => readAsMember((ctx) => community.listOperators(ctx, {}));

/** Legal holds. */
export const deskHolds = (query: ClientInput<typeof contract.desk.holds>) =>
  readAsMember((ctx) => community.listHolds(ctx, contract.desk.holds.query.parse(query)));

/** The log of the installation, for everyone. */
export const siteLog = (query: ClientInput<typeof contract.desk.log>) =>
  read(async () => community.readInstallationLog(await pageContext(), contract.desk.log.query.parse(query)));

/** The queue over all topics whose staff the visitor is. */
export const staffQueue = (query: ClientInput<typeof contract.moderation.queue>) =>
  readAsMember((ctx) => community.listCases(ctx, contract.moderation.queue.query.parse(query)));
