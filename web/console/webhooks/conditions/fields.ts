/** The fields for conditions: the members of event bodies. Pure. */
import {
  mediaStates,
  ticketStates,
  type ConversationProps,
  type MediaProps,
  type TicketProps,
} from "../../../../src/contracts/events.ts";

export type FieldKind = "text" | "number" | "any";

export type Field = Readonly<{ path: string; kind: FieldKind; values?: readonly string[] }>;

const parents: Readonly<Record<MediaProps["_parent"]["name"], true>> = {
  ...{ ticket: true, conference: true, conversation: true },
};

const states = [...new Set<string>([...ticketStates, ...mediaStates])];

const people = ["agent", "requestor"].flatMap((who) =>
  ["email", "phone", "firstname", "lastname"].map((part): Field => ({
    path: `props.${who}.${part}`,
    kind: "text",
  })),
);

/** `eventTypes`: from the catalogue. */
export function conditionFields(
  objects: readonly string[],
  eventTypes: readonly string[],
): readonly Field[] {
  return [
    { path: "object", kind: "text", values: objects },
    { path: "event", kind: "text", values: ["create", "update", "delete"] },
    { path: "objectId", kind: "any" },
    { path: "time", kind: "number" },
    ...propsOf([
      { name: "state", kind: "text", values: states },
      { name: "geoloc", kind: "any" },
      { name: "eventType", kind: "text", values: [...eventTypes, "conversationEnded"] },
      { name: "eventCode", kind: "number" },
      { name: "ticketId", kind: "number" },
      { name: "conversationId", kind: "number" },
      { name: "name", kind: "text" },
      { name: "finishedAt", kind: "text" },
    ]),
    { path: "props.geoloc.lat", kind: "number" },
    { path: "props.geoloc.lng", kind: "number" },
    { path: "props._parent.name", kind: "text", values: Object.keys(parents) },
    { path: "props._parent.id", kind: "number" },
    ...people,
    { path: "props.oldPriority", kind: "any" },
    { path: "props.newPriority", kind: "any" },
    { path: "props.mediaId", kind: "number" },
    { path: "props.text", kind: "text" },
  ];
}

/** Members of every timeline entry; the type of their props also allows other names. */
type CommonMember = "eventType" | "eventCode" | "ticketId" | "conversationId";

/** Members of the props; an unknown name does not compile. */
function propsOf(
  fields: readonly (Omit<Field, "path"> & {
    name: keyof TicketProps | keyof MediaProps | keyof ConversationProps | CommonMember;
  })[],
): Field[] {
  return fields.map(({ name, ...field }) => ({ ...field, path: `props.${name}` }));
}
