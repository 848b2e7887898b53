export { maskedValue } from "../../../../src/contracts/masked.ts";
