export { isBlank, plainText, type SanitizedHtml, sanitizePostHtml, shorten } from "./sanitize";
