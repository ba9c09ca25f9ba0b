import { getThreadReading, readThread } from "@/lib/community";
import { contract } from "@/lib/contract";
import { endpoint } from "@/lib/http/endpoint";
import { methodsBesides } from "@/lib/http/methods";

export const GET = endpoint(contract.reading.thread, getThreadReading);
export const PUT = endpoint(contract.reading.readThread, readThread);
export const { POST, PATCH, DELETE } = methodsBesides("GET", "PUT");
