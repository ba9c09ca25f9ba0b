import { clearPollVote, votePoll } from "@/lib/community";
import { contract } from "@/lib/contract";
import { endpoint } from "@/lib/http/endpoint";
import { methodsBesides } from "@/lib/http/methods";

export const POST = endpoint(contract.posts.votePoll, votePoll);
export const DELETE = endpoint(contract.posts.clearPollVote, clearPollVote);
export const { GET, PUT, PATCH } = methodsBesides("POST", "DELETE");
