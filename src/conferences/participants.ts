/** Comma list of guests → contacts. Pure. */
import type { GuestContact } from "../contracts/invitations.ts";
import { invalidParameter, missingParameter } from "../contracts/problems.ts";
import { printable } from "../http/input.ts";
import { parseEmail, parsePhone } from "../platform/contact.ts";

/** 1 to 50 of them, each named once. */
export function parseParticipants(text: string): GuestContact[] {
  const items = text.split(",").filter((item) => item.trim() !== "");
  if (items.length === 0) {
    throw missingParameter("participants");
  }
  const parsed = items.map(parseItem);
  const wrong = items.filter((_item, at) => parsed[at] === undefined);
  if (wrong.length > 0) {
    refuseItems(wrong);
  }
  const contacts = withoutDuplicates(parsed.filter((one) => one !== undefined));
  requireGuestLimit(contacts.length);
  return contacts;
}

// Not trimmed: a blank in front of digits may be a `+` that a client forgot to encode.
function parseItem(item: string): GuestContact | undefined {
  const email = parseEmail(item);
  const phone = email === undefined ? parsePhone(item) : undefined;
  return email === undefined && phone === undefined
    ? undefined
    : { email: email ?? null, phone: phone ?? null, name: null };
}

/** Lists up to five bad items. */
function refuseItems(items: readonly string[]): never {
  const shown = items.slice(0, 5).map((item) => `"${printable(item.trim())}"`);
  const verb = items.length === 1 ? "is" : "are";
  throw invalidParameter(
    "participants",
    "format",
    `In participants ${shown.join(", ")} ${verb} neither an e-mail address nor a phone number with its international prefix, such as +33612345678.`,
  );
}

/** Each once, where it was named first. */
function withoutDuplicates(contacts: readonly GuestContact[]): GuestContact[] {
  const seen = new Set<string>();
  return contacts.filter((contact) => {
    const isNew = !seen.has(keyOf(contact));
    seen.add(keyOf(contact));
    return isNew;
  });
}

/** Who has the same key is the same guest. */
function keyOf({ email, phone }: GuestContact): string {
  return (email ?? phone ?? "").toLowerCase();
}

const maxGuests = 50;

/** 400 where a list has more guests than a conference may have. */
export function requireGuestLimit(count: number): void {
  if (count > maxGuests) {
    throw invalidParameter(
      "participants",
      "length",
      `A conference has at most ${maxGuests} invited participants.`,
    );
  }
}
