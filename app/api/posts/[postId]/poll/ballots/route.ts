import { castBallot, listBallots } from "@/lib/community";
import { contract } from "@/lib/contract";
import { endpoint } from "@/lib/http/endpoint";
import { methodsBesides } from "@/lib/http/methods";

export const GET = endpoint(contract.anonymous.ballots, listBallots);
export const POST = endpoint(contract.anonymous.ballot, castBallot);
export const { PUT, PATCH, DELETE } = methodsBesides("GET", "POST");
