/** Conferences of appointments that another system keeps. Every call runs in its transaction. */
import { findTimeZone } from "../access/time-zone.ts";
import type {
  AppointmentConference,
  AppointmentOrder,
  AppointmentConferences,
} from "../contracts/appointments.ts";
import type { Trx } from "../platform/db/pool.ts";
import { createApplyChange, type InvitationScope, createApplyCancel } from "./change.ts";
import type { Conference, ConferenceCaller } from "./model.ts";
import { createWithinTransaction } from "./create.ts";
import { issueLinkToken } from "./credentials.ts";
import type { ConferenceDeps } from "./ports.ts";
import { presentConference, roomUrl, ssoUrl } from "./present.ts";
import { lockByExternalKey, findConferenceById } from "./store.ts";

export function createExternalConferences(deps: ConferenceDeps): AppointmentConferences<Trx> {
  const make = createWithinTransaction(deps);
  const applyChange = createApplyChange(deps);
  const applyCancel = createApplyCancel(deps);
  const { baseUrl, secretBox } = deps;
  const present = createPresenter(baseUrl);

  const lock = async (
    trx: Trx,
    { caller, externalKey }: Readonly<{ caller: ConferenceCaller; externalKey: string }>,
  ): Promise<Conference> => {
    const { enterpriseId } = caller;
    const found = await lockByExternalKey(trx, { enterpriseId, externalKey });
    if (found === undefined) {
      throw new Error("The appointment has no conference");
    }
    return found;
  };

  return {
    find: async (trx, appointment) => {
      const found = await lockByExternalKey(trx, appointment);
      return found && present(found, undefined);
    },
    create: async (trx, { caller, clinician, ...order }) => {
      const made = await make(trx, caller, {
        ...order,
        organizer: clinician,
        moderator: clinician,
        isModerated: true,
        isOpen: false,
        wantsSso: false,
        language: null,
        message: null,
        password: null,
        reminderMinutes: undefined,
      });
      return present(made, issueLinkToken(secretBox, made));
    },
    change: async (trx, order) => {
      const current = await lock(trx, order);
      const { caller, clinician, startTime, endTime, participants } = order;
      const after = await applyChange(trx, current, {
        caller,
        wish: {
          fields: { startTime, endTime },
          ...(clinician === undefined ? {} : { organizer: clinician, moderator: clinician }),
          ...(participants.length === 0 ? {} : { participants }),
        },
        invitationScope: invitationScopeOf(current, order),
      });
      return present(after, issueLinkToken(secretBox, after));
    },
    cancel: async (trx, order) =>
      present(await applyCancel(trx, await lock(trx, order), order.caller), undefined),
    timeZoneOf: async (trx, enterpriseId) => (await findTimeZone(trx, enterpriseId)) ?? "UTC",
    show: async (trx, ref) => {
      const conference = await findConferenceById(trx, ref);
      return conference && presentConference(conference, baseUrl);
    },
  };
}

function createPresenter(baseUrl: string) {
  return (conference: Conference, ssoToken: string | undefined): AppointmentConference => ({
    id: conference.id,
    status: conference.status,
    startTime: conference.startTime,
    endTime: conference.endTime,
    guestUrl: roomUrl(conference, baseUrl),
    moderatorUrl:
      ssoToken === undefined ? roomUrl(conference, baseUrl) : ssoUrl(conference, baseUrl, ssoToken),
    dtmfCode: conference.sipDtmfCode,
  });
}

function invitationScopeOf(current: Conference, order: AppointmentOrder): InvitationScope {
  if (!order.isInvited) {
    return "nobody";
  }
  return isMoved(current, order) ? "everybody" : "newcomers";
}

function isMoved(current: Conference, { startTime, endTime }: AppointmentOrder): boolean {
  return (
    current.startTime.getTime() !== startTime.getTime() ||
    current.endTime.getTime() !== endTime.getTime()
  );
}
