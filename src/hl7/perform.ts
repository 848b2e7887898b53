/** Does what a message asks for, or throws the fault that says why not. */
import { Problem } from "../contracts/problems.ts";
import type { Trx } from "../platform/db/pool.ts";
import type { AckConference } from "./ack.ts";
import {
  actionOf,
  appointmentOf,
  keyOf,
  type Appointment,
  type EventAction,
} from "./appointment.ts";
import { dataFault, Hl7Fault, refusal } from "./fault.ts";
import type { Message } from "./message.ts";
import type { Actor, AppointmentConference, ConferenceOrder, Hl7Deps } from "./ports.ts";
import { findServiceKey } from "./store.ts";

/** `links`: what the sender may keep. */
export type Done = Readonly<{ conferenceId: number; links: AckConference | undefined }>;

type Order = Readonly<{ actor: Actor; message: Message }>;

/**
 * Runs in a savepoint, so that what a refused message had written is gone while the refusal itself
 * is kept. Another message of the same appointment that was faster is seen at the second try.
 */
export async function perform(deps: Hl7Deps, trx: Trx, order: Order): Promise<Done> {
  const action = actionOf(order.message);
  if (!order.actor.mayWrite) {
    throw refusal(207, "MSH^1^4", "The sender has no permission to send messages.");
  }
  const attempt = (): Promise<Done> =>
    trx.transaction((savepoint) => act(deps, savepoint, { ...order, action }));
  try {
    return await attempt().catch((thrown: unknown) => {
      if (isTaken(thrown)) {
        return attempt();
      }
      throw thrown;
    });
  } catch (thrown) {
    throw toFault(thrown);
  }
}

async function act(
  deps: Hl7Deps,
  trx: Trx,
  { action, ...order }: Order & { action: EventAction },
): Promise<Done> {
  const { enterpriseId } = order.actor;
  const { externalKey } = keyOf(order.message);
  const known = await deps.conferences.find(trx, { enterpriseId, externalKey });
  switch (action) {
    case "create":
      if (isAlive(known)) {
        throw dataFault(205, "SCH^1^2", "The appointment has a conference already.");
      }
      return create(deps, trx, order);
    case "change":
      return isAlive(known)
        ? withLinks(await deps.conferences.change(trx, await orderOf(deps, trx, order)))
        : create(deps, trx, order);
    case "cancel":
      return cancel(deps, trx, { ...order, known: requireKnown(known) });
    case "note":
      return withoutLinks(requireKnown(known));
    default:
      return action satisfies never;
  }
}

function isAlive(conference: AppointmentConference | undefined): boolean {
  return conference?.status === "scheduled" || conference?.status === "ongoing";
}

async function create(deps: Hl7Deps, trx: Trx, order: Order): Promise<Done> {
  const wanted = await orderOf(deps, trx, order);
  if (wanted.clinician === undefined) {
    throw dataFault(101, "AIP^1^3", "There is no clinician, in AIP-3 or PV1-7.");
  }
  return withLinks(await deps.conferences.create(trx, wanted));
}

async function orderOf(
  deps: Hl7Deps,
  trx: Trx,
  { actor, message }: Order,
): Promise<ConferenceOrder> {
  const { enterpriseId } = actor;
  const timeZone = await deps.conferences.timeZoneOf(trx, enterpriseId);
  const appointment: Appointment = appointmentOf(message, timeZone);
  const { clinician: name, startTime, endTime, isInvited, patients } = appointment;
  return {
    caller: { enterpriseId, userId: actor.userId },
    ...keyOf(message),
    clinician: await findClinician(deps, trx, { enterpriseId, name }),
    serviceKey: await findServiceKey(trx, enterpriseId, appointment.serviceHints),
    startTime,
    endTime,
    participants: patients,
    isInvited,
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
    throw dataFault(204, "AIP^1^3", "The clinician is not known here.");
  }
  return user.login;
}

function withLinks(conference: AppointmentConference): Done {
  return {
    conferenceId: conference.id,
    links: conference,
  };
}

async function cancel(
  { conferences }: Hl7Deps,
  trx: Trx,
  { actor, message, known }: Order & { known: AppointmentConference },
): Promise<Done> {
  if (known.status === "cancelled") {
    return withoutLinks(known); // it is as the sender wants it
  }
  const { externalKey } = keyOf(message);
  return withoutLinks(await conferences.cancel(trx, { caller: actor, externalKey }));
}

function withoutLinks({ id }: AppointmentConference): Done {
  return {
    conferenceId: id,
    links: undefined,
  };
}

function requireKnown(known: AppointmentConference | undefined): AppointmentConference {
  if (known === undefined) {
    throw dataFault(204, "SCH^1^2", "There is no conference of this appointment.");
  }
  return known;
}

function isTaken(thrown: unknown): boolean {
  return (
    thrown instanceof Error &&
    (thrown as Error & { constraint?: unknown }).constraint === "conferences_external"
  );
}

/** What the conferences refuse is a fault of the data. */
function toFault(thrown: unknown): unknown {
  return thrown instanceof Problem ? dataFault(207, "SCH^1^2", thrown.message) : thrown;
}

export function isFault(thrown: unknown): thrown is Hl7Fault {
  return thrown instanceof Hl7Fault;
}
