import type {
  ConferenceInvitationOrder,
  ConferenceInvitation,
  GuestContact,
} from "../contracts/invitations.ts";
import type { Trx } from "../platform/db/pool.ts";
import type { Conference } from "./model.ts";
import { listGuests, markInvited, type InvitedGuest } from "./guest-store.ts";
import type { ConferenceDeps } from "./ports.ts";
import { shortUrl } from "./present.ts";

export type ConferenceNotices = {
  /** Invites these guests of the list, and remembers that they were. */
  invite(
    trx: Trx,
    order: Readonly<{
      conference: Conference;
      userId: number;
      at: Date;
      isWanted: (guest: InvitedGuest) => boolean;
    }>,
  ): Promise<readonly ConferenceInvitation[]>;
  /** Tells those of the guests who were invited that they need not come. */
  cancel(
    trx: Trx,
    order: Readonly<{
      conference: Conference;
      guests: readonly InvitedGuest[];
      userId: number;
      at: Date;
    }>,
  ): Promise<void>;
};

export function createNotices(
  deps: Pick<ConferenceDeps, "invitations" | "baseUrl">,
): ConferenceNotices {
  return {
    invite: async (trx, { conference, userId, at, isWanted }) => {
      const guests = (await listGuests(trx, conference)).filter(isWanted);
      if (guests.length === 0) {
        return [];
      }
      await markInvited(
        trx,
        conference,
        guests.map(({ id }) => id),
        at,
      );
      const notice = toGuestNotice(deps, { conference, guests, userId, at });
      return deps.invitations.inviteToConference(trx, notice);
    },
    cancel: async (trx, { conference, guests, userId, at }) => {
      const invited = guests.filter(({ invitedAt }) => invitedAt !== null);
      if (invited.length > 0) {
        const notice = toGuestNotice(deps, { conference, guests: invited, userId, at });
        await deps.invitations.cancelConference(trx, notice);
      }
    },
  };
}

type NoticeOrder = Readonly<{
  conference: Conference;
  guests: readonly GuestContact[];
  /** Who caused it. Not given: a timer. */
  userId?: number;
  at: Date;
}>;

/** What the guests are told of the conference as it is now. */
export function toGuestNotice(
  { baseUrl }: Pick<ConferenceDeps, "baseUrl">,
  { conference, guests, userId, at }: NoticeOrder,
): ConferenceInvitationOrder {
  return {
    enterpriseId: conference.enterpriseId,
    serviceId: conference.serviceId,
    conferenceId: conference.id,
    guests: guests.map(({ email, phone, name }) => ({ email, phone, name })),
    language: conference.language,
    variables: {
      link: shortUrl(conference, baseUrl),
      name: conference.name,
      organizerName: conference.organizer.name,
      message: conference.message,
      startTime: conference.startTime,
      endTime: conference.endTime,
      dialIn:
        conference.sipPhoneNumber === ""
          ? null
          : { number: conference.sipPhoneNumber, code: conference.sipDtmfCode },
    },
    createdBy: userId ?? null,
    at,
  };
}
