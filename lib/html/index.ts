export { type ImageRule, replaceImages, TooLong } from "./images";
export { linksOnTheirOwn } from "./links";
export { boundedParser, maxNesting, parseInSlices, TooDeep } from "./parse";
export { isBlank, plainText, type SanitizedHtml, sanitizePostHtml, shorten } from "./sanitize";
