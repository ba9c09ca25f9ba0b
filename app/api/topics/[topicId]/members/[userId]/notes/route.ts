import { addNote, listNotes } from "@/lib/community";
import { contract } from "@/lib/contract";
import { endpoint } from "@/lib/http/endpoint";
import { methodsBesides } from "@/lib/http/methods";

export const GET = endpoint(contract.members.notes, listNotes);
export const POST = endpoint(contract.members.addNote, addNote);
export const { PUT, PATCH, DELETE } = methodsBesides("GET", "POST");
