/** Conferences: their statuses, and those that another system manages, for instance through HL7. */
import type { GuestContact } from "./invitations.ts";
import type { Scope } from "./permissions.ts";

/** The statuses of a conference, which the console calls a meeting. */
export const conferenceStatuses = ["scheduled", "ongoing", "ended", "cancelled"] as const;

export type ConferenceStatus = (typeof conferenceStatuses)[number];

type AppointmentCaller = Pick<Scope, "enterpriseId" | "userId">;

type AppointmentRef = Readonly<{ enterpriseId: number; externalKey: string }>;

/** What the other system receives about a conference. */
export type AppointmentConference = Readonly<{
  id: number;
  status: ConferenceStatus;
  startTime: Date;
  endTime: Date;
  guestUrl: string;
  /** Signs the moderator in. Returned only by the call that creates or changes the conference. */
  moderatorUrl: string;
  dtmfCode: string;
}>;

export type AppointmentOrder = Readonly<{
  caller: AppointmentCaller;
  externalKey: string;
  name: string;
  serviceKey: string | undefined;
  /** Login of the organizer and moderator. Undefined in a change: keeps the current one. */
  clinician: string | undefined;
  startTime: Date;
  endTime: Date;
  participants: readonly GuestContact[];
  isInvited: boolean;
}>;

/** Each call runs in the transaction of the message that causes it. */
export type AppointmentConferences<Trx> = {
  /** The newest conference of the appointment, locked; undefined if there is none. */
  find(trx: Trx, appointment: AppointmentRef): Promise<AppointmentConference | undefined>;
  create(trx: Trx, order: AppointmentOrder): Promise<AppointmentConference>;
  /** A new time notifies every guest; other changes only new guests. */
  change(trx: Trx, order: AppointmentOrder): Promise<AppointmentConference>;
  cancel(
    trx: Trx,
    order: Readonly<{ caller: AppointmentCaller; externalKey: string }>,
  ): Promise<AppointmentConference>;
  /** The time zone in which times without an offset are read. */
  timeZoneOf(trx: Trx, enterpriseId: number): Promise<string>;
  /** As the REST API returns it. */
  show(trx: Trx, ref: Readonly<{ enterpriseId: number; id: number }>): Promise<unknown>;
};
