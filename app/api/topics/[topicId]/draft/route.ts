import { deleteDraft, getDraft, saveDraft } from "@/lib/community";
import { contract } from "@/lib/contract";
import { endpoint } from "@/lib/http/endpoint";
import { methodsBesides } from "@/lib/http/methods";

export const GET = endpoint(contract.drafts.get, getDraft);
export const PUT = endpoint(contract.drafts.save, saveDraft);
export const DELETE = endpoint(contract.drafts.delete, deleteDraft);
export const { POST, PATCH } = methodsBesides("GET", "PUT", "DELETE");
