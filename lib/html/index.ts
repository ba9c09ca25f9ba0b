export { replaceImages, TooLong } from "./images";
export { linksOnTheirOwn } from "./links";
export { boundedParser, escapeHtml, maxNesting, parseInSlices, TooDeep } from "./parse";
export { isBlank, plainText, sanitizePostHtml, shorten } from "./sanitize";
