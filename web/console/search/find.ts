/** Asks the lists that may know a word. */
import { queryOptions } from "@tanstack/react-query";
import { api, call } from "../../base/api.ts";
import { asProblem } from "../../base/problem.ts";
import { inTurn } from "../../base/retry.ts";
import type { Session } from "../../base/session.ts";
import { may } from "../../base/session.ts";
import type { Permission } from "../../../src/contracts/permissions.ts";
import { listOf, type List, type Partly } from "./answer.ts";
import type { Wanted } from "./kinds.ts";

const most = 20;

/** What is not there, or out of reach, was not found. */
const orNothing = async (asking: Promise<Partly>): Promise<Partly> => {
  try {
    return await asking;
  } catch (thrown) {
    const { status } = asProblem(thrown);
    if (status === 404 || status === 403 || status === 400) {
      return {};
    }
    throw thrown;
  }
};

const ticketById = async (ticketId: number): Promise<Partly> => ({
  tickets: [await call(api.GET("/api/tickets/{ticketId}", { params: { path: { ticketId } } }))],
});

/** By a part of what a ticket says, or of its customer's name, address or number. */
const ticketsByText = async (search: string): Promise<Partly> => {
  const query = { search, limit: most };
  return { tickets: (await call(api.GET("/api/tickets", { params: { query } }))).data };
};

const meetings = async (search: string): Promise<Partly> => {
  const query = { search, limit: most };
  return { meetings: (await call(api.GET("/api/conferences", { params: { query } }))).data };
};

const eventById = async (eventId: string): Promise<Partly> => {
  const query = { eventId, limit: most };
  return { events: (await call(api.GET("/api/webhooks/deliveries", { params: { query } }))).data };
};

const deliveryById = async (deliveryId: number): Promise<Partly> => ({
  deliveries: [
    await call(
      api.GET("/api/webhooks/deliveries/{deliveryId}", { params: { path: { deliveryId } } }),
    ),
  ],
});

const needs: Readonly<Record<List, Permission>> = {
  tickets: "tickets.read",
  meetings: "conferences.read",
  deliveries: "webhooks.read",
};

const ask = (wanted: Wanted): Promise<Partly> => {
  switch (wanted.kind) {
    case "ticket":
      return ticketById(wanted.id);
    case "reference":
      return ticketsByText(wanted.reference);
    case "phone":
      return ticketsByText(wanted.phone);
    case "email":
      return ticketsByText(wanted.email);
    case "meeting":
      return meetings(wanted.text);
    case "event":
      return eventById(wanted.id);
    case "delivery":
      return deliveryById(wanted.id);
    default:
      return wanted satisfies never;
  }
};

/** What the role may not read is not asked for. */
export const allowedOf = (wanted: readonly Wanted[], session: Session): Wanted[] =>
  wanted.filter(({ kind }) => may(session, needs[listOf[kind]]));

/** What the list that knows such things says. */
export const findQuery = (wanted: Wanted) =>
  queryOptions({
    queryKey: ["search", wanted],
    queryFn: () => orNothing(ask(wanted)),
    gcTime: 0,
    ...inTurn,
  });
