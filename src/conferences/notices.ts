import type {
  ConferenceInvitationOrder,
  ConferenceInvitation,
  GuestContact,
  UnsendableRule,
} from "../contracts/invitations.ts";
import type { Trx } from "../platform/db/pool.ts";
import type { Conference, ConferenceDeps } from "./model.ts";
import { listGuests, markInvited, type InvitedGuest } from "./guest-store.ts";
import { shortUrl } from "./present.ts";

export type ConferenceNotices = {
  /** Invites the matching guests of the list and marks them as invited. */
  invite(
    trx: Trx,
    order: Readonly<{
      conference: Conference;
      userId: number;
      at: Date;
      isWanted: (guest: InvitedGuest) => boolean;
      rule: UnsendableRule;
    }>,
  ): Promise<readonly ConferenceInvitation[]>;
  /** Notifies invited guests of the cancellation. */
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
    invite: async (trx, { conference, userId, at, isWanted, rule }) => {
      const guests = (await listGuests(trx, conference)).filter(isWanted);
      if (guests.length === 0) {
        return [];
      }
      const notice = toGuestNotice(deps, { conference, guests, userId, at });
      const sent = await deps.invitations.inviteToConference(trx, notice, rule);
      // Not those who opted out, or whose SMS is over the quota: nobody has to tell them of changes.
      const reached = new Set<string | null>(sent.map(({ recipient }) => recipient));
      const invited = guests.filter(({ email, phone }) => reached.has(email) || reached.has(phone));
      await markInvited(
        trx,
        conference,
        invited.map(({ id }) => id),
        at,
      );
      return sent;
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
  /** Absent if a timer triggered the notice. */
  userId?: number;
  at: Date;
}>;

/** Builds the invitation order from the current conference. */
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
