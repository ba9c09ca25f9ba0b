export { getPreviewImage } from "./image";
export { getPreview } from "./page";
export { type PublicWeb, publicWeb, type WebReceipt } from "./web";
