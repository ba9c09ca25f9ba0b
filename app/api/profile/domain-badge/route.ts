import { addDomainBadge, getDomainBadges, removeDomainBadge } from "@/lib/community";
import { contract } from "@/lib/contract";
import { endpoint } from "@/lib/http/endpoint";
import { methodsBesides } from "@/lib/http/methods";

export const GET = endpoint(contract.profile.getDomainBadges, getDomainBadges);
export const POST = endpoint(contract.profile.addDomainBadge, addDomainBadge);
export const DELETE = endpoint(contract.profile.removeDomainBadge, removeDomainBadge);
export const { PUT, PATCH } = methodsBesides("GET", "POST", "DELETE");
