export { type ImageRule, replaceImages } from "./images";
export { isBlank, plainText, type SanitizedHtml, sanitizePostHtml, shorten } from "./sanitize";
