/**
 * Tokens of room participants: signed, not stored, because guests have no account. A token is valid
 * for at most 12 hours, and ends with the room, which every operation checks.
 */
import { hkdfSync } from "node:crypto";
import { errors, jwtVerify, SignJWT, type JWTPayload } from "jose";
import { roomRoles, type Guest, type RoomRole } from "./route.ts";

export type RoomTokens = {
  issue(guest: Guest, expiresAt: Date): Promise<string>;
  /** Undefined if the token is invalid, changed or expired. */
  verify(token: string): Promise<Guest | undefined>;
};

const algorithm = "HS256";

const issuer = "sightline";

const audience = "sightline:rooms";

const maxSeconds = 12 * 60 * 60;

/** How far the clock of the process that issued a token may be ahead. */
const toleranceSeconds = 60;

/** Derived key (HKDF): knowing one key does not reveal the other. */
export function createRoomTokens(secretKey: Buffer, nowMs: () => number = Date.now): RoomTokens {
  const key = new Uint8Array(hkdfSync("sha256", secretKey, "", "sightline room tokens 1", 32));
  return {
    issue: (guest, expiresAt) => {
      const now = Math.floor(nowMs() / 1000);
      const end = Math.min(Math.floor(expiresAt.getTime() / 1000), now + maxSeconds);
      return new SignJWT(toClaims(guest))
        .setProtectedHeader({ alg: algorithm })
        .setIssuer(issuer)
        .setAudience(audience)
        .setSubject(guest.participant)
        .setIssuedAt(now)
        .setExpirationTime(end)
        .sign(key);
    },
    verify: async (token) => {
      try {
        const now = nowMs();
        const { payload } = await jwtVerify(token, key, {
          algorithms: [algorithm],
          issuer,
          audience,
          requiredClaims: ["sub", "iat", "exp"],
          maxTokenAge: maxSeconds,
          clockTolerance: toleranceSeconds,
          currentDate: new Date(now),
        });
        return isExpired(payload, now) ? undefined : toGuest(payload);
      } catch (thrown) {
        if (thrown instanceof errors.JOSEError) {
          return undefined;
        }
        throw thrown;
      }
    },
  };
}

/** The end is exact: the tolerance is only for a start in the future. */
function isExpired({ exp = 0 }: JWTPayload, nowMs: number): boolean {
  return exp <= Math.floor(nowMs / 1000);
}

function toClaims(guest: Guest): JWTPayload {
  return {
    enterprise: guest.enterpriseId,
    conversation: guest.conversationId,
    ticket: guest.ticketId,
    conference: guest.conferenceId,
    role: guest.role,
    visit: guest.visit,
    user: guest.userId,
    name: guest.name,
  };
}

/** Parses claims. Undefined for claims of another release that this one cannot read. */
function toGuest(claims: JWTPayload): Guest | undefined {
  const { sub, enterprise, conversation, ticket, conference, role, visit, user, name } = claims;
  const areIds = isId(enterprise) && isId(conversation);
  const areSubjects = isIdOrNull(ticket) && isIdOrNull(conference) && isIdOrNull(user);
  if (!areIds || !areSubjects || !isRole(role)) {
    return undefined;
  }
  if (!isText(sub) || !isText(visit) || !isText(name)) {
    return undefined;
  }
  return {
    enterpriseId: enterprise,
    conversationId: conversation,
    ticketId: ticket,
    conferenceId: conference,
    role,
    participant: sub,
    visit,
    userId: user,
    name,
  };
}

function isIdOrNull(value: unknown): value is number | null {
  return value === null || isId(value);
}

function isId(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) > 0;
}

function isRole(value: unknown): value is RoomRole {
  return (roomRoles as readonly unknown[]).includes(value);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

/** Like `verify`, and asks whether the token still holds: a signature cannot be revoked. */
export function createRoomTokenCheck(
  { verify }: Pick<RoomTokens, "verify">,
  isValid: (guest: Guest) => Promise<boolean>,
): RoomTokens["verify"] {
  return async (token) => {
    const guest = await verify(token);
    return guest !== undefined && (await isValid(guest)) ? guest : undefined;
  };
}
