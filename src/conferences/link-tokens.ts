/**
 * The token in `sso_url`: lets its user in as the organizer or moderator of one conference. It is
 * sealed, not stored. It ends with the conference, and with the part that the user plays in it.
 */
import type { SecretBox } from "../platform/secret-box.ts";
import type { Conference } from "./conference.ts";

export function issueLinkToken(box: SecretBox, conference: Conference): string {
  return box.seal(String(conference.moderator.id), placeOf(conference)).toString("base64url");
}

/** The longest text that can be one; anything longer is not even opened. */
const maxLength = 200;

/** The user whom the token lets in; undefined where it lets nobody in. */
export function userOfLinkToken(
  box: SecretBox,
  conference: Conference,
  token: string,
): number | undefined {
  const text =
    token.length <= maxLength ? openOrNothing(box, token, placeOf(conference)) : undefined;
  const userId = text === undefined ? undefined : Number(text);
  const { organizer, moderator } = conference;
  return userId === organizer.id || userId === moderator.id ? userId : undefined;
}

function openOrNothing(box: SecretBox, token: string, place: string): string | undefined {
  try {
    return box.open(Buffer.from(token, "base64url"), place);
  } catch {
    return undefined; // made up, damaged, or of another conference
  }
}

function placeOf({ roomName }: Pick<Conference, "roomName">): string {
  return `conference link ${roomName}`;
}
