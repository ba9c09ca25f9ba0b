import { contract } from "@/lib/contract";
import { endpoint } from "@/lib/http/endpoint";
import { methodsBesides } from "@/lib/http/methods";
import { describeProof } from "@/lib/metadata/entrance";

export const GET = endpoint(contract.service.guide, describeProof, { publicSeconds: 300 });
export const { POST, PUT, PATCH, DELETE } = methodsBesides("GET");
