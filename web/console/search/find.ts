/** Queries the lists that may match the text. */
import { queryOptions } from "@tanstack/react-query";
import { api, call } from "../../base/api.ts";
import { asProblem } from "../../base/problem.ts";
import { retryBusy } from "../../base/retry.ts";
import type { Session } from "../../base/session.ts";
import { may } from "../../base/session.ts";
import type { Permission } from "../../../src/contracts/permissions.ts";
import { listOf, type ResultList, type PartialResult } from "./answer.ts";
import type { SearchIntent } from "./kinds.ts";

const most = 20;

const needs: Readonly<Record<ResultList, Permission>> = {
  tickets: "tickets.read",
  meetings: "conferences.read",
  deliveries: "webhooks.read",
};

/** Drops kinds that the user may not read. */
export function allowedOf(intents: readonly SearchIntent[], session: Session): SearchIntent[] {
  return intents.filter(({ kind }) => may(session, needs[listOf[kind]]));
}

/** Queries one list. */
export function findQuery(intent: SearchIntent) {
  return queryOptions({
    queryKey: ["search", intent],
    queryFn: () => orNothing(fetchHits(intent)),
    gcTime: 0,
    ...retryBusy,
  });
}

/** Not found and forbidden count as no match. */
async function orNothing(request: Promise<PartialResult>): Promise<PartialResult> {
  try {
    return await request;
  } catch (thrown) {
    const { status } = asProblem(thrown);
    if (status === 404 || status === 403 || status === 400) {
      return {};
    }
    throw thrown;
  }
}

function fetchHits(intent: SearchIntent): Promise<PartialResult> {
  switch (intent.kind) {
    case "ticket":
      return ticketById(intent.id);
    case "reference":
      return ticketsByText(intent.reference);
    case "phone":
      return ticketsByText(intent.phone);
    case "email":
      return ticketsByText(intent.email);
    case "meeting":
      return meetings(intent.text);
    case "event":
      return eventById(intent.id);
    case "delivery":
      return deliveryById(intent.id);
    default:
      return intent satisfies never;
  }
}

async function ticketById(ticketId: number): Promise<PartialResult> {
  return {
    tickets: [await call(api.GET("/api/tickets/{ticketId}", { params: { path: { ticketId } } }))],
  };
}

/** Full-text search of tickets, or by the customer's name, address or number. */
async function ticketsByText(search: string): Promise<PartialResult> {
  const query = { search, limit: most };
  return { tickets: (await call(api.GET("/api/tickets", { params: { query } }))).data };
}

async function meetings(search: string): Promise<PartialResult> {
  const query = { search, limit: most };
  return { meetings: (await call(api.GET("/api/conferences", { params: { query } }))).data };
}

async function eventById(eventId: string): Promise<PartialResult> {
  const query = { event_id: eventId, limit: most };
  return { events: (await call(api.GET("/api/webhooks/deliveries", { params: { query } }))).data };
}

async function deliveryById(deliveryId: number): Promise<PartialResult> {
  return {
    deliveries: [
      await call(
        api.GET("/api/webhooks/deliveries/{deliveryId}", { params: { path: { deliveryId } } }),
      ),
    ],
  };
}
