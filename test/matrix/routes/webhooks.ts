/** Webhooks: settings, log, explanations, reconciliation, replays, pull, test sends, expunging. */
import type { ClassifiedRoutes } from "./kinds.ts";
import { runPlatform, webhooks } from "./roles.ts";

const webhook = { family: "platform", target: "webhook", status: 200, access: webhooks } as const;
const ofNone = { ...webhook, target: "none" } as const;
const replay = { ...webhook, target: "replay" } as const;

function wished() {
  return { status: ["dead", "delivered"], object: "ticket" };
}

function recovered() {
  return { since: "2026-11-20" };
}

export const webhookRoutes: ClassifiedRoutes = {
  "GET /webhooks": ofNone,
  "POST /webhooks": {
    ...{ ...ofNone, status: 201 },
    body: () => ({ name: "Mine", filters: ["ticket.*"] }),
  },
  "GET /webhooks/event-types": ofNone,
  "GET /webhooks/{webhookId}": webhook,
  "PATCH /webhooks/{webhookId}": { ...webhook, body: () => ({ name: "Another name" }) },
  "DELETE /webhooks/{webhookId}": { ...webhook, status: 204 },
  "GET /webhooks/{webhookId}/health": webhook,
  "POST /webhooks/{webhookId}/rotate-secret": { ...webhook, body: () => ({ overlapHours: 1 }) },
  "POST /webhooks/{webhookId}/rotate-key": {
    ...{ ...webhook, target: "keyedWebhook" },
    body: () => ({ overlapHours: 1 }),
  },
  "GET /alerts": ofNone,
  "PATCH /alerts": { ...ofNone, body: () => ({ repeat_hours: 2 }) },
  "GET /webhooks/{webhookId}/alerts": webhook,
  "PATCH /webhooks/{webhookId}/alerts": { ...webhook, body: () => ({ past_due_minutes: 5 }) },
  "POST /webhooks/{webhookId}/test": { ...webhook, body: () => ({ filter: "ticket.create" }) },

  "GET /webhooks/deliveries": ofNone,
  "GET /webhooks/deliveries/export": ofNone,
  "GET /webhooks/deliveries/{deliveryId}": { ...webhook, target: "anyDelivery" },
  "GET /webhooks/{webhookId}/deliveries": webhook,
  "GET /webhooks/{webhookId}/deliveries/{deliveryId}": { ...webhook, target: "delivery" },

  "POST /webhooks/deliveries/retry": {
    ...{ ...webhook, target: "ownFailingDelivery" },
    body: (_tenant, _actor, { deliveryId }) => ({ deliveries: [deliveryId] }),
  },
  "POST /webhooks/deliveries/{deliveryId}/retry": {
    ...{ ...webhook, target: "failingDelivery", status: 202 },
  },
  "POST /webhooks/{webhookId}/probe": { ...webhook, target: "openCircuit", status: 202 },
  "POST /webhooks/{webhookId}/recover": { ...webhook, status: 202, body: recovered },
  "POST /webhooks/{webhookId}/recover/preview": { ...webhook, isReading: true, body: recovered },

  "POST /webhooks/filter-test": {
    ...{ ...ofNone, isReading: true },
    body: () => ({ filters: ["ticket.*"], conditions: { "props.state": "new" } }),
  },
  "GET /webhooks/explain": {
    ...{ ...webhook, target: "event" },
    query: (_tenant, { eventId }) => `?event_id=${eventId}`,
  },
  "GET /webhooks/{webhookId}/explain": { ...webhook, target: "keptWebhook" },
  "GET /platform/webhooks/{webhookId}/explain": {
    ...{ ...webhook, target: "platformWebhook", access: runPlatform },
  },
  "GET /webhooks/live": ofNone,
  "GET /webhooks/series": ofNone,
  "GET /webhooks/reconcile": ofNone,
  "GET /webhooks/{webhookId}/manifest": webhook,

  "GET /webhooks/{webhookId}/events": webhook,
  "GET /webhooks/{webhookId}/events/stream": webhook,

  "POST /webhooks/{webhookId}/deliveries/{deliveryId}/replay": {
    ...{ ...webhook, target: "endedDelivery", status: 202 },
  },
  "POST /webhooks/deliveries/replay": {
    ...{ ...webhook, target: "ownEndedDelivery", status: 202 },
    body: (_tenant, _actor, { deliveryId }) => ({ deliveries: [deliveryId] }),
  },
  "POST /webhooks/{webhookId}/replay": { ...webhook, status: 202, body: wished },
  "POST /webhooks/{webhookId}/replay/preview": { ...webhook, isReading: true, body: wished },
  "GET /webhooks/replays": ofNone,
  "GET /webhooks/replays/{replayId}": replay,
  "POST /webhooks/replays/{replayId}/pause": { ...replay, replayConflictIn: "paused" },
  "POST /webhooks/replays/{replayId}/resume": {
    ...{ ...replay, replay: "paused", replayConflictIn: "running" },
  },
  "POST /webhooks/replays/{replayId}/cancel": { ...replay, replayConflictIn: "done" },

  "POST /webhooks/events/{eventId}/expunge": { ...webhook, target: "event" },
};
