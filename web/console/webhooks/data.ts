/** Queries of the webhook pages. Live values are polled. */
import { keepPreviousData, queryOptions, type QueryClient } from "@tanstack/react-query";
import type { operations } from "../../base/api-types.ts";
import { api, call } from "../../base/api.ts";
import { asProblem } from "../../base/problem.ts";
import { retryBusy } from "../../base/retry.ts";
import { excludedEventsOf, invertedQuery, type ExcludedEvent } from "./filters/excluded-events.ts";
import type {
  Webhook,
  FilterTest,
  WebhookInput,
  LiveDeliveries,
  Question,
  CreateBody,
} from "./types.ts";

export const webhooksQuery = queryOptions({
  queryKey: ["webhooks", "list"],
  queryFn: async () => (await call(api.GET("/api/webhooks"))).data,
  refetchInterval: 5_000,
});

/** The backlog of each webhook, by id. */
export const liveQuery = queryOptions({
  queryKey: ["webhooks", "live"],
  queryFn: async () => {
    // Requested as JSON; the same operation can also stream.
    const live = (await call(api.GET("/api/webhooks/live"))) as LiveDeliveries;
    return new Map(live.webhooks.map((webhook) => [webhook.id, webhook]));
  },
  refetchInterval: 3_000,
});

export const catalogueQuery = queryOptions({
  queryKey: ["webhooks", "event-types"],
  queryFn: () => call(api.GET("/api/webhooks/event-types")),
  staleTime: Infinity,
});

export function standingQuery(webhookId: number) {
  return queryOptions({
    queryKey: ["webhooks", "standing", webhookId],
    queryFn: () =>
      call(api.GET("/api/webhooks/{webhookId}/health", { params: { path: { webhookId } } })),
    refetchInterval: 3_000,
  });
}

const dayMs = 86_400_000;

/** Deliveries of the last 24 hours. */
export function seriesQuery(webhookId: number) {
  return queryOptions({
    queryKey: ["webhooks", "series", webhookId],
    queryFn: () => {
      const since = new Date(Date.now() - dayMs).toISOString();
      return call(api.GET("/api/webhooks/series", { params: { query: { webhookId, since } } }));
    },
    refetchInterval: 15_000,
  });
}

const newestChanges = 100;

/** The newest webhook changes of the enterprise. */
export function changesQuery(enterpriseId: number) {
  return queryOptions({
    queryKey: ["webhooks", "changes", enterpriseId],
    queryFn: async () => {
      const query = { object: "webhook", limit: newestChanges } as const;
      const params = { path: { enterpriseId }, query };
      return call(api.GET("/api/enterprises/{enterpriseId}/audit", { params }));
    },
    staleTime: 30_000,
  });
}

export function lastDeliveriesQuery(
  webhookId: number,
  query: Readonly<{ status?: string; limit: number }>,
) {
  return queryOptions({
    queryKey: ["webhooks", "last-deliveries", webhookId, query],
    queryFn: async () => {
      const params = { path: { webhookId }, query };
      return (await call(api.GET("/api/webhooks/{webhookId}/deliveries", { params }))).data;
    },
    refetchInterval: 5_000,
  });
}

/** Tests filters and conditions against the newest events. */
export function filterTestQuery(question: Question) {
  return queryOptions({
    queryKey: ["webhooks", "filter-test", question.filters, question.conditions],
    queryFn: () => testFilters(question, 500),
    enabled: question.filters.length > 0,
    placeholderData: keepPreviousData,
    staleTime: 15_000,
    ...retryBusy,
  });
}

/** Matches every event, operational events included. */
const everything: Question = { filters: ["*", "subscription.*", "delivery.*"], conditions: null };

/** Half of the API's limit per response, which leaves room for events that arrive in between. */
const newest = 50;

/**
 * The newest events that the webhook would not receive, with reasons. All events are fetched first;
 * newer ones in the other responses are ignored, and their limits are raised by the number that may
 * have arrived.
 */
export function excludedEventsQuery(question: Question) {
  return queryOptions({
    queryKey: ["webhooks", "kept-out", question.filters, question.conditions],
    queryFn: async (): Promise<ExcludedEvent[]> => {
      const { events: happened } = await testFilters(everything, newest);
      const { events: matched } = await testFilters(question, 2 * newest);
      const refused = await refusedOf(question, 2 * newest);
      return excludedEventsOf(question.filters, { happened, matched, refused });
    },
    placeholderData: keepPreviousData,
    staleTime: 15_000,
    ...retryBusy,
  });
}

/** Empty if the inverted conditions exceed the length limit. */
async function refusedOf(question: Question, limit: number): Promise<FilterTest["events"]> {
  if (question.conditions === null) {
    return [];
  }
  try {
    return (await testFilters(invertedQuery(question), limit)).events;
  } catch (thrown) {
    if (asProblem(thrown).status === 400) {
      return [];
    }
    throw thrown;
  }
}

function testFilters({ filters, conditions }: Question, limit: number): Promise<FilterTest> {
  const body = {
    filters: [...filters],
    conditions: conditions as Record<string, never> | null,
  };
  return call(api.POST("/api/webhooks/filter-test", { body: { ...body, limit } }));
}

export function createWebhook(input: WebhookInput) {
  return call(api.POST("/api/webhooks", { body: asBody(input) }));
}

export function changeWebhook(webhookId: number, input: WebhookInput) {
  return call(
    api.PATCH("/api/webhooks/{webhookId}", {
      params: { path: { webhookId } },
      body: asBody(input),
    }),
  );
}

export type RemovableSetting = NonNullable<
  NonNullable<operations["changeWebhook"]["requestBody"]>["content"]["application/json"]["remove"]
>[number];

/**
 * Removes a value that cannot be decrypted. Returns false if it is readable or gone by now: then
 * nothing is removed. A value that is replaced between the two requests is removed all the same.
 */
export async function removeUndecryptable(
  webhookId: number,
  field: RemovableSetting,
): Promise<boolean> {
  const { undecryptable } = await fetchWebhook(webhookId);
  if (!undecryptable.includes(field)) {
    return false;
  }
  const params = { path: { webhookId } };
  await call(api.PATCH("/api/webhooks/{webhookId}", { params, body: { remove: [field] } }));
  return true;
}

function asBody(input: WebhookInput): CreateBody {
  return input as CreateBody;
}

export function deleteWebhook(webhookId: number) {
  return call(api.DELETE("/api/webhooks/{webhookId}", { params: { path: { webhookId } } }));
}

export function rotateSecret(webhookId: number, overlapHours: number) {
  return call(
    api.POST("/api/webhooks/{webhookId}/rotate-secret", {
      params: { path: { webhookId } },
      body: { overlapHours },
    }),
  );
}

export function rotateKey(webhookId: number, overlapHours: number) {
  return call(
    api.POST("/api/webhooks/{webhookId}/rotate-key", {
      params: { path: { webhookId } },
      body: { overlapHours },
    }),
  );
}

export function sendTest(webhookId: number, body: { filter?: string; event_id?: string }) {
  return call(
    api.POST("/api/webhooks/{webhookId}/test", { params: { path: { webhookId } }, body }),
  );
}

/** Invalidates all webhook queries after a change. */
export function refreshWebhooks(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ queryKey: ["webhooks"] });
}

/** Optimistic update of the switch. Returns the rollback. */
export async function showSwitched(
  client: QueryClient,
  webhookId: number,
  active: boolean,
): Promise<() => void> {
  // A pending response would briefly show the old state.
  await client.cancelQueries({ queryKey: ["webhooks", "list"] });
  await client.cancelQueries({ queryKey: webhookKey(webhookId) });
  const list = client.getQueryData(webhooksQuery.queryKey);
  const one = client.getQueryData(webhookQuery(webhookId).queryKey);
  client.setQueryData(webhooksQuery.queryKey, (before) =>
    before?.map((webhook) => (webhook.id === webhookId ? setActive(webhook, active) : webhook)),
  );
  client.setQueryData(webhookQuery(webhookId).queryKey, (before) =>
    before === undefined ? before : setActive(before, active),
  );
  return () => {
    client.setQueryData(webhooksQuery.queryKey, list);
    client.setQueryData(webhookQuery(webhookId).queryKey, one);
  };
}

/** As it is stored now. */
export function fetchWebhook(webhookId: number): Promise<Webhook> {
  return call(api.GET("/api/webhooks/{webhookId}", { params: { path: { webhookId } } }));
}

export function webhookQuery(webhookId: number) {
  return queryOptions({
    queryKey: webhookKey(webhookId),
    queryFn: () => fetchWebhook(webhookId),
    refetchInterval: 5_000,
  });
}

function webhookKey(webhookId: number) {
  return ["webhooks", "one", webhookId] as const;
}

function setActive(webhook: Webhook, active: boolean): Webhook {
  return {
    ...webhook,
    active,
    disabled_reason: active ? null : webhook.disabled_reason,
    health: active ? webhook.health : { ...webhook.health, state: "off" },
  };
}
