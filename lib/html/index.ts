export { type ImageRule, replaceImages } from "./images";
export { linksOnTheirOwn } from "./links";
export { isBlank, plainText, type SanitizedHtml, sanitizePostHtml, shorten } from "./sanitize";
