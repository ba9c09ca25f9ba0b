import { deleteProfileImage, getProfileImage, setProfileImage } from "@/lib/community";
import { contract } from "@/lib/contract";
import { endpoint } from "@/lib/http/endpoint";
import { methodsBesides } from "@/lib/http/methods";

export const GET = endpoint(contract.profile.getImage, getProfileImage);
export const PUT = endpoint(contract.profile.setImage, setProfileImage);
export const DELETE = endpoint(contract.profile.deleteImage, deleteProfileImage);
export const { POST, PATCH } = methodsBesides("GET", "PUT", "DELETE");
