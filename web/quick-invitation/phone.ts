/** The check of phone numbers: some 80 KB, so it is loaded once the page is there. */
import { parsePhoneNumberFromString } from "libphonenumber-js/min";
import type { ReadPhone } from "./recipients.ts";

export const readPhone: ReadPhone = (international) => {
  const number = parsePhoneNumberFromString(international, { extract: false });
  return number?.isValid() === true && number.ext === undefined ? number.number : undefined;
};
