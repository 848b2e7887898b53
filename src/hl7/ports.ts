/** What HL7 needs of other slices. `compose` hands the real ones over. */
import type { Clock } from "../platform/clock.ts";
import type { Db, Queryable, Trx } from "../platform/db/pool.ts";
import type { Ids } from "../platform/ids.ts";
import type { SecretBox } from "../platform/secret-box.ts";
import type { AckConference } from "./ack.ts";
import type { Patient } from "./appointment.ts";

type Owner = Readonly<{ enterpriseId: number; userId: number }>;

export type AppointmentConference = AckConference &
  Readonly<{ status: "scheduled" | "ongoing" | "ended" | "cancelled" }>;

export type ConferenceOrder = Readonly<{
  caller: Owner;
  externalKey: string;
  name: string;
  serviceKey: string | undefined;
  /** Login. Undefined: as it was. */
  clinician: string | undefined;
  startTime: Date;
  endTime: Date;
  participants: readonly Patient[];
  isInvited: boolean;
}>;

/** Conferences of appointments, each call in the transaction of the message that asks for it. */
export type Conferences = {
  /** The newest one of the appointment, locked. */
  find(
    trx: Trx,
    appointment: Readonly<{ enterpriseId: number; externalKey: string }>,
  ): Promise<AppointmentConference | undefined>;
  create(trx: Trx, order: ConferenceOrder): Promise<AppointmentConference>;
  change(trx: Trx, order: ConferenceOrder): Promise<AppointmentConference>;
  cancel(
    trx: Trx,
    order: Readonly<{ caller: Owner; externalKey: string }>,
  ): Promise<AppointmentConference>;
  timeZoneOf(trx: Trx, enterpriseId: number): Promise<string>;
  /** As the REST interface shows it. */
  show(trx: Trx, ref: Readonly<{ enterpriseId: number; id: number }>): Promise<unknown>;
};

type FindUser = (
  db: Queryable,
  enterpriseId: number,
  name: string,
) => Promise<Readonly<{ login: string }> | undefined>;

export type Hl7Deps = Readonly<{
  db: Db;
  clock: Clock;
  ids: Pick<Ids, "hex">;
  /** Messages and answers name patients: they are stored sealed. */
  secretBox: SecretBox;
  directory: Readonly<{ findUserByLogin: FindUser; findUserByExternalId: FindUser }>;
  conferences: Conferences;
}>;

/** On whose behalf a message is done. */
export type Actor = Owner & Readonly<{ mayWrite: boolean }>;
