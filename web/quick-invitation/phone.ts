/** Phone number validation, about 80 KB, so it loads lazily. */
import { parsePhoneNumberFromString } from "libphonenumber-js/min";
import type { ReadPhone } from "../shared/phone.ts";

export const readPhone: ReadPhone = (international) => {
  const number = parsePhoneNumberFromString(international, { extract: false });
  return number?.isValid() === true && number.ext === undefined ? number.number : undefined;
};
