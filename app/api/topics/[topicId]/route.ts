import { deleteTopic, getTopic, updateTopic } from "@/lib/community";
import { contract } from "@/lib/contract";
import { endpoint } from "@/lib/http/endpoint";
import { methodsBesides } from "@/lib/http/methods";

export const GET = endpoint(contract.topics.get, getTopic);
export const PATCH = endpoint(contract.topics.update, updateTopic);
export const DELETE = endpoint(contract.topics.delete, deleteTopic);
export const { POST, PUT } = methodsBesides("GET", "PATCH", "DELETE");
