export { en } from "./en";
