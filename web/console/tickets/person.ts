/** Names and contacts of people. */

/** A person's data; empty and missing are equivalent. */
type Known = Readonly<{
  firstname?: string | undefined;
  lastname?: string | undefined;
  email?: string | undefined;
  phone?: string | undefined;
}>;

/** Country codes by time zone, for countries with a trunk prefix 0. */
const prefixOfZone: Readonly<Record<string, string>> = {
  "Europe/Paris": "33",
  "Europe/Brussels": "32",
  "Europe/Zurich": "41",
  "Europe/London": "44",
  "Europe/Berlin": "49",
  "Europe/Vienna": "43",
  "Europe/Amsterdam": "31",
  "Europe/Dublin": "353",
};

/** The country code for national numbers, by the enterprise's time zone; undefined if unknown. */
export function homePrefix(timeZone: string): string | undefined {
  return prefixOfZone[timeZone];
}

/** The name, else the phone number, else the email address, else "". */
export function nameOf(person: Known): string {
  const { phone = "", email = "" } = person;
  return fullName(person) || (phone === "" ? email : formatPhone(phone));
}

function fullName({ firstname = "", lastname = "" }: Known): string {
  return `${firstname} ${lastname}`.trim();
}

/** Phone number and email address. */
export function contactsOf({ phone = "", email = "" }: Known): string[] {
  return [phone === "" ? "" : formatPhone(phone), email].filter((contact) => contact !== "");
}

const prefixes = [...Object.values(prefixOfZone), "34", "39", "351", "352", "1"].toSorted(
  (a, b) => b.length - a.length,
);

/** `+33612345678` → `+33 6 12 34 56 78`, with non-breaking spaces. */
export function formatPhone(e164: string): string {
  const digits = e164.replace(/^\+/u, "");
  const prefix = prefixes.find((known) => digits.startsWith(known)) ?? "";
  const rest = digits.slice(prefix.length);
  const odd = rest.length % 2 === 1 ? rest.slice(0, 1) : "";
  const pairs = rest.slice(odd.length).match(/../gu) ?? [];
  return `+${[prefix, odd, ...pairs].filter((part) => part !== "").join("\u00A0")}`;
}
