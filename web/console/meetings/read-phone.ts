import { parsePhoneNumberFromString } from "libphonenumber-js/max";
import type { ReadPhone } from "../../shared/phone.ts";

/** Uses the numbering plans of all countries, a large chunk that phones.ts loads on demand. */
export const readPhone: ReadPhone = (international) => {
  const number = parsePhoneNumberFromString(international, { extract: false });
  return number?.isValid() === true && number.ext === undefined ? number.number : undefined;
};
