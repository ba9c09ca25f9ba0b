import { listBlockedFiles, takeFilesDown } from "@/lib/community";
import { contract } from "@/lib/contract";
import { endpoint } from "@/lib/http/endpoint";
import { methodsBesides } from "@/lib/http/methods";

export const GET = endpoint(contract.desk.blockedFiles, listBlockedFiles);
export const POST = endpoint(contract.desk.takeFilesDown, takeFilesDown);
export const { PUT, PATCH, DELETE } = methodsBesides("GET", "POST");
