import { decideReport, listReports } from "@/lib/community";
import { contract } from "@/lib/contract";
import { endpoint } from "@/lib/http/endpoint";
import { methodsBesides } from "@/lib/http/methods";

export const GET = endpoint(contract.moderation.reports, listReports);
export const PATCH = endpoint(contract.moderation.decideReport, decideReport);
export const { POST, PUT, DELETE } = methodsBesides("GET", "PATCH");
