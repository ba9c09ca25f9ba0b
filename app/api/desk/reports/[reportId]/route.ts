import { decideDeskReport } from "@/lib/community";
import { contract } from "@/lib/contract";
import { endpoint } from "@/lib/http/endpoint";
import { methodsBesides } from "@/lib/http/methods";

export const PATCH = endpoint(contract.desk.decide, decideDeskReport);
export const { GET, POST, PUT, DELETE } = methodsBesides("PATCH");
