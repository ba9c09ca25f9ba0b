import { muteTopic, unmuteTopic } from "@/lib/community";
import { contract } from "@/lib/contract";
import { endpoint } from "@/lib/http/endpoint";
import { methodsBesides } from "@/lib/http/methods";

export const PUT = endpoint(contract.topics.mute, muteTopic);
export const DELETE = endpoint(contract.topics.unmute, unmuteTopic);
export const { GET, POST, PATCH } = methodsBesides("PUT", "DELETE");
