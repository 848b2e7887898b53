export { maskedValue } from "../../../../src/contracts/request-headers.ts";
