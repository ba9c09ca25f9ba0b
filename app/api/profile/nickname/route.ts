import { contract } from "@/lib/contract";
import { endpoint } from "@/lib/http/endpoint";
import { methodsBesides } from "@/lib/http/methods";
import { setNickname } from "@/lib/session/nickname";

export const PUT = endpoint(contract.profile.setNickname, setNickname);
export const { GET, POST, PATCH, DELETE } = methodsBesides("PUT");
