/** A realistic sample of every kind of event. Pure. */
import {
  type actionsOfObject,
  objectKinds,
  type ConversationProps,
  type MediaProps,
  type ObjectKind,
  type OutboundEvent,
  type TicketProps,
  type WebhookBody,
} from "../../contracts/events.ts";
import {
  sessionEventAttributes,
  sessionEventCodes,
  sessionEventTypes,
  type SessionEventAttribute,
  type SessionEventType,
} from "../../contracts/session-events.ts";
import { toTimestamp, toUnixSeconds } from "../../platform/timestamps.ts";
import { deadEvent, stateEvent } from "../notices/operational-events.ts";

type Sample = Pick<OutboundEvent, "objectId" | "props">;

const ticketId = 1001;

const mediaId = 1002;

const conversationId = 2;

const agent = { email: "agent@example.com", phone: "", firstname: "Camille", lastname: "Martin" };

const requestor = {
  email: "jane.doe@example.com",
  phone: "+33612345678",
  firstname: "Jane",
  lastname: "Doe",
};

const geoloc = { lat: 48.8566, lng: 2.3522 };

const surveyAnswer = {
  questions: [
    { id: 1, label: { en: "Are you satisfied with the assistance?" }, answer: "Very satisfied" },
  ],
  feedback: "Quick and friendly",
};

/** The attributes of timeline entries. */
const attributes: Readonly<Record<SessionEventAttribute, unknown>> = {
  agent,
  requestor,
  oldPriority: 2,
  newPriority: 3,
  geoloc,
  mediaId,
  text: "SN 4711",
  surveyAnswer,
};

const day = 86_400_000;

const enterpriseId = 1;

const subscriptionId = 7;

type MakeSample = (now: Date) => Sample;

const samples: {
  [Kind in ObjectKind]: Record<(typeof actionsOfObject)[Kind][number], MakeSample>;
} = {
  ticket: {
    create: () => ticket({ state: "new" }),
    update: () => ticket({ state: "inprogress", geoloc }),
    delete: () => ticket({ state: "closed", geoloc }),
  },
  media: {
    create: () => media("inprogress"),
    update: () => media("completed"),
    delete: () => media("completed"),
  },
  conversation: { update: conversation },
  smsmessage: {
    create: () => ({ objectId: 1009, props: {} }),
    update: () => ({ objectId: 1009, props: {} }),
  },
  conversationevent: { create: () => timelineEntry("ticket.new") },
  subscription: {
    warned: (now) => subscription("warned", now),
    disabled: (now) => subscription("disabled", now),
    recovered: (now) => subscription("recovered", now),
  },
  delivery: { dead: deadDelivery },
};

const samplesByName = new Map<string, { object: ObjectKind; event: string; make: MakeSample }>([
  ...objectKinds.flatMap((object) =>
    Object.entries<MakeSample>(samples[object]).map(
      ([event, make]) => [`${object}.${event}`, { object, event, make }] as const,
    ),
  ),
  ...sessionEventTypes.map((eventType) => {
    const of = { object: "conversationevent", event: "create" } as const;
    const make = (): Sample => timelineEntry(eventType);
    return [`conversationevent.create:${eventType}`, { ...of, make }] as const;
  }),
]);

/** The filters that select exactly one kind of event. Each has a sample. */
export const sampleNames: readonly string[] = [...samplesByName.keys()];

/** The body of a sample at `now`; undefined for an unknown name. */
export function sampleBody(name: string, now: Date): WebhookBody | undefined {
  const found = samplesByName.get(name);
  if (found === undefined) {
    return undefined;
  }
  const { objectId, props } = found.make(now);
  const event = found.event as WebhookBody["event"];
  return { event, time: toUnixSeconds(now), object: found.object, objectId, props };
}

function ticket(props: TicketProps): Sample {
  return { objectId: ticketId, props };
}

function media(state: MediaProps["state"]): Sample {
  const props: MediaProps = { state, _parent: { name: "ticket", id: ticketId } };
  return { objectId: mediaId, props };
}

function conversation(now: Date): Sample {
  const props: ConversationProps = {
    eventType: "conversationEnded",
    name: "54304a61f4d769b1df5f0e6f10239985:531a42b043c43fb5c591572b4b3ef4c2",
    finishedAt: toTimestamp(now),
  };
  return { objectId: "8f14e45f-ceea-467f-a8f1-2f8e4c6d9b10", props };
}

function timelineEntry(eventType: SessionEventType): Sample {
  return {
    objectId: 31,
    props: {
      eventType,
      eventCode: sessionEventCodes[eventType],
      ticketId,
      conversationId,
      ...Object.fromEntries(
        sessionEventAttributes[eventType].map((name) => [name, attributes[name]]),
      ),
    },
  };
}

/** Operational events about a subscription, built by the production code. */
function subscription(event: "warned" | "disabled" | "recovered", now: Date): Sample {
  const failingSince = new Date(now.getTime() - day);
  const of = { enterpriseId, subscriptionId, failingSince };
  const notices = {
    warned: { ...of, kind: "subscription.warned" },
    disabled: { ...of, kind: "subscription.disabled", reason: "failing" },
    recovered: { ...of, kind: "subscription.recovered" },
  } as const;
  const url = "https://crm.example.com/hook";
  return stateEvent({
    notice: notices[event],
    subscription: { id: subscriptionId, enterpriseId, name: "CRM", url, isActive: true },
    lastFailure: { result: "5xx", status: 503 },
    at: now,
  });
}

function deadDelivery(): Sample {
  return deadEvent({
    kind: "delivery.dead",
    enterpriseId,
    subscriptionId,
    deliveryId: 21,
    sequence: 9,
    eventId: "evt_01a1fb42-5d7d-7504-84d1-e57d5187633f",
    object: "ticket",
    objectId: String(ticketId),
    attempts: 10,
    lastResult: "5xx",
  });
}
