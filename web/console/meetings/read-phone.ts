import { parsePhoneNumberFromString } from "libphonenumber-js/max";
import type { ReadPhone } from "./contacts.ts";

/** By the numbering plans of all countries, which are large: phones.ts loads it where somebody writes some. */
export const readPhone: ReadPhone = (international) => {
  const number = parsePhoneNumberFromString(international, { extract: false });
  return number?.isValid() === true && number.ext === undefined ? number.number : undefined;
};
