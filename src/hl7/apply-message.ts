/** Applies a message, or throws the fault of its acknowledgement. */
import type { FindUser } from "../contracts/directory.ts";
import type { Scope } from "../contracts/permissions.ts";
import type {
  AppointmentConference,
  AppointmentOrder,
  AppointmentConferences,
} from "../contracts/conferences.ts";
import { Problem } from "../contracts/problems.ts";
import type { Trx, Db, Queryable } from "../platform/db/pool.ts";
import { type AckLinks, dataFault, Hl7Fault, rejection } from "./ack.ts";
import {
  actionOf,
  appointmentOf,
  appointmentKey,
  type Appointment,
  type AppointmentAction,
} from "./appointment.ts";
import type { ParsedMessage } from "./message.ts";
import { findServiceKey } from "./store.ts";
import type { Clock } from "../platform/clock.ts";
import type { Ids } from "../platform/ids.ts";
import type { SecretBox } from "../platform/secret-box.ts";

/** `links` for the acknowledgement. */
export type AppliedMessage = Readonly<{ conferenceId: number; links: AckLinks | undefined }>;

type ApplyOrder = Readonly<{ actor: Hl7Actor; message: ParsedMessage }>;

/**
 * Runs in a savepoint: a rejected message leaves no writes, while its rejection is stored. Retries
 * once if a concurrent message has created the appointment.
 */
export async function applyMessage(
  deps: Hl7Deps,
  trx: Trx,
  order: ApplyOrder,
): Promise<AppliedMessage> {
  const action = actionOf(order.message);
  if (!order.actor.mayWrite) {
    throw rejection(207, "MSH^1^4", "The sender has no permission to send messages.");
  }
  const attempt = (): Promise<AppliedMessage> =>
    trx.transaction((savepoint) => applyAction(deps, savepoint, { ...order, action }));
  try {
    return await attempt().catch((thrown: unknown) => {
      if (isDuplicateAppointment(thrown)) {
        return attempt();
      }
      throw thrown;
    });
  } catch (thrown) {
    throw toFault(thrown);
  }
}

async function applyAction(
  deps: Hl7Deps,
  trx: Trx,
  { action, ...order }: ApplyOrder & { action: AppointmentAction },
): Promise<AppliedMessage> {
  const { enterpriseId } = order.actor;
  const { externalKey } = appointmentKey(order.message);
  const existing = await deps.conferences.find(trx, { enterpriseId, externalKey });
  switch (action) {
    case "create":
      if (isActive(existing)) {
        throw dataFault(205, "SCH^1^2", "The appointment already has a conference.");
      }
      return create(deps, trx, order);
    case "change":
      return isActive(existing)
        ? withLinks(await deps.conferences.change(trx, await toAppointmentOrder(deps, trx, order)))
        : create(deps, trx, order);
    case "cancel":
      return cancel(deps, trx, { ...order, existing: requireConference(existing) });
    case "note":
      return withoutLinks(requireConference(existing));
    default:
      return action satisfies never;
  }
}

function isActive(conference: AppointmentConference | undefined): boolean {
  return conference?.status === "scheduled" || conference?.status === "ongoing";
}

async function create(deps: Hl7Deps, trx: Trx, order: ApplyOrder): Promise<AppliedMessage> {
  const appointmentOrder = await toAppointmentOrder(deps, trx, order);
  if (appointmentOrder.clinician === undefined) {
    throw dataFault(101, "AIP^1^3", "The clinician in AIP-3 or PV1-7 is missing.");
  }
  return withLinks(await deps.conferences.create(trx, appointmentOrder));
}

async function toAppointmentOrder(
  deps: Hl7Deps,
  trx: Trx,
  { actor, message }: ApplyOrder,
): Promise<AppointmentOrder> {
  const { enterpriseId } = actor;
  const timeZone = await deps.conferences.timeZoneOf(trx, enterpriseId);
  const appointment: Appointment = appointmentOf(message, timeZone);
  const { clinician: name, startTime, endTime, isInvited, patients } = appointment;
  return {
    caller: { enterpriseId, userId: actor.userId },
    ...appointmentKey(message),
    clinician: await findClinician(deps, trx, { enterpriseId, name }),
    serviceKey: await findServiceKey(trx, enterpriseId, appointment.serviceCandidates),
    startTime,
    endTime,
    participants: patients,
    // A system that sends its appointments again must not invite patients to those of last year.
    isInvited: isInvited && endTime > deps.clock.now(),
  };
}

async function findClinician(
  { directory }: Hl7Deps,
  trx: Trx,
  { enterpriseId, name }: { enterpriseId: number; name: string },
): Promise<string | undefined> {
  if (name === "") {
    return undefined;
  }
  const user =
    (await directory.findUserByLogin(trx, enterpriseId, name)) ??
    (await directory.findUserByExternalId(trx, enterpriseId, name));
  if (user === undefined) {
    throw dataFault(204, "AIP^1^3", "The clinician is unknown.");
  }
  return user.login;
}

function withLinks(conference: AppointmentConference): AppliedMessage {
  return {
    conferenceId: conference.id,
    links: conference,
  };
}

async function cancel(
  { conferences }: Hl7Deps,
  trx: Trx,
  { actor, message, existing }: ApplyOrder & { existing: AppointmentConference },
): Promise<AppliedMessage> {
  if (existing.status === "cancelled") {
    return withoutLinks(existing); // cancelled already
  }
  const { externalKey } = appointmentKey(message);
  return withoutLinks(await conferences.cancel(trx, { caller: actor, externalKey }));
}

function withoutLinks({ id }: AppointmentConference): AppliedMessage {
  return {
    conferenceId: id,
    links: undefined,
  };
}

function requireConference(existing: AppointmentConference | undefined): AppointmentConference {
  if (existing === undefined) {
    throw dataFault(204, "SCH^1^2", "The appointment has no conference.");
  }
  return existing;
}

function isDuplicateAppointment(thrown: unknown): boolean {
  return (
    thrown instanceof Error &&
    (thrown as Error & { constraint?: unknown }).constraint === "conferences_external"
  );
}

/** Problems of the conferences are faults of the data. */
function toFault(thrown: unknown): unknown {
  return thrown instanceof Problem ? dataFault(207, "SCH^1^2", thrown.message) : thrown;
}

export function isFault(thrown: unknown): thrown is Hl7Fault {
  return thrown instanceof Hl7Fault;
}

export type Hl7Deps = Readonly<{
  db: Db;
  clock: Clock;
  ids: Pick<Ids, "hex">;
  /** Seals stored messages and answers, because they contain personal data of patients. */
  secretBox: SecretBox;
  directory: Readonly<
    Record<"findUserByLogin" | "findUserByExternalId", FindUser<Queryable, string>>
  >;
  conferences: AppointmentConferences<Trx>;
}>;

/** The user on whose behalf a message is applied. */
export type Hl7Actor = Pick<Scope, "enterpriseId" | "userId"> & Readonly<{ mayWrite: boolean }>;
