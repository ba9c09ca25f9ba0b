export { getPreviewImage } from "./image";
export { getPreview } from "./page";
export { type PublicWeb, publicWeb, type WebAnswer, type WebMessage, type WebReceipt } from "./web";
