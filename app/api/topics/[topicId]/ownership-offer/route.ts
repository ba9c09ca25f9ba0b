import { answerOffer, cancelOffer, getOffer, offerOwnership } from "@/lib/community";
import { contract } from "@/lib/contract";
import { endpoint } from "@/lib/http/endpoint";
import { methodsBesides } from "@/lib/http/methods";

export const GET = endpoint(contract.ownership.get, getOffer);
export const POST = endpoint(contract.ownership.answer, answerOffer);
export const PUT = endpoint(contract.ownership.offer, offerOwnership);
export const DELETE = endpoint(contract.ownership.cancel, cancelOffer);
export const { PATCH } = methodsBesides("GET", "POST", "PUT", "DELETE");
