import { listMembers, removeMember, setRole } from "@/lib/community";
import { contract } from "@/lib/contract";
import { endpoint } from "@/lib/http/endpoint";
import { methodsBesides } from "@/lib/http/methods";

export const GET = endpoint(contract.members.list, listMembers);
export const PATCH = endpoint(contract.members.setRole, setRole);
export const DELETE = endpoint(contract.members.remove, removeMember);
export const { POST, PUT } = methodsBesides("GET", "PATCH", "DELETE");
