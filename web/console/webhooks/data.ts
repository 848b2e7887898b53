/** What the pages of webhooks ask the API for. Numbers of a moment are asked for again by themselves. */
import { keepPreviousData, queryOptions, type QueryClient } from "@tanstack/react-query";
import { api, call } from "../../base/api.ts";
import { asProblem } from "../../base/problem.ts";
import { inTurn } from "../../base/retry.ts";
import { keptOutOf, oppositeOf, type KeptOut } from "./filters/kept-out.ts";
import type {
  Webhook,
  FilterTest,
  WebhookInput,
  LiveDeliveries,
  Question,
  CreateBody,
} from "./types.ts";

const asBody = (input: WebhookInput): CreateBody => input as CreateBody;

export const webhooksQuery = queryOptions({
  queryKey: ["webhooks", "list"],
  queryFn: async () => (await call(api.GET("/api/webhooks"))).data,
  refetchInterval: 5_000,
});

const webhookKey = (webhookId: number) => ["webhooks", "one", webhookId] as const;

export const webhookQuery = (webhookId: number) =>
  queryOptions({
    queryKey: webhookKey(webhookId),
    queryFn: () => call(api.GET("/api/webhooks/{webhookId}", { params: { path: { webhookId } } })),
    refetchInterval: 5_000,
  });

export const standingQuery = (webhookId: number) =>
  queryOptions({
    queryKey: ["webhooks", "standing", webhookId],
    queryFn: () =>
      call(api.GET("/api/webhooks/{webhookId}/health", { params: { path: { webhookId } } })),
    refetchInterval: 3_000,
  });

/** What waits for each webhook, by its id. */
export const liveQuery = queryOptions({
  queryKey: ["webhooks", "live"],
  queryFn: async () => {
    // As JSON: the same operation is a stream for who asks for one.
    const live = (await call(api.GET("/api/webhooks/live"))) as LiveDeliveries;
    return new Map(live.webhooks.map((webhook) => [webhook.id, webhook]));
  },
  refetchInterval: 3_000,
});

const dayMs = 86_400_000;

/** Deliveries of the last 24 hours. */
export const seriesQuery = (webhookId: number) =>
  queryOptions({
    queryKey: ["webhooks", "series", webhookId],
    queryFn: () => {
      const since = new Date(Date.now() - dayMs).toISOString();
      return call(api.GET("/api/webhooks/series", { params: { query: { webhookId, since } } }));
    },
    refetchInterval: 15_000,
  });

export const catalogueQuery = queryOptions({
  queryKey: ["webhooks", "event-types"],
  queryFn: () => call(api.GET("/api/webhooks/event-types")),
  staleTime: Infinity,
});

const newestChanges = 100;

/** The newest changes of webhooks of the enterprise, whichever webhook it was. */
export const changesQuery = (enterpriseId: number) =>
  queryOptions({
    queryKey: ["webhooks", "changes", enterpriseId],
    queryFn: async () => {
      const query = { object: "webhook", limit: newestChanges } as const;
      const params = { path: { enterpriseId }, query };
      return call(api.GET("/api/enterprises/{enterpriseId}/audit", { params }));
    },
    staleTime: 30_000,
  });

export const lastDeliveriesQuery = (
  webhookId: number,
  query: Readonly<{ status?: string; limit: number }>,
) =>
  queryOptions({
    queryKey: ["webhooks", "last-deliveries", webhookId, query],
    queryFn: async () => {
      const params = { path: { webhookId }, query };
      return (await call(api.GET("/api/webhooks/{webhookId}/deliveries", { params }))).data;
    },
    refetchInterval: 5_000,
  });

const testFilters = ({ filters, conditions }: Question, limit: number): Promise<FilterTest> => {
  const body = {
    filters: [...filters],
    conditions: conditions as Record<string, never> | null,
  };
  return call(api.POST("/api/webhooks/filter-test", { body: { ...body, limit } }));
};

/** What filters and conditions would have let through of the newest events. */
export const filterTestQuery = (question: Question) =>
  queryOptions({
    queryKey: ["webhooks", "filter-test", question.filters, question.conditions],
    queryFn: () => testFilters(question, 500),
    enabled: question.filters.length > 0,
    placeholderData: keepPreviousData,
    staleTime: 15_000,
    ...inTurn,
  });

/** All that happens, what the platform tells about its own work included. */
const everything: Question = { filters: ["*", "subscription.*", "delivery.*"], conditions: null };

/** As many as an answer shows. */
const newest = 100;

/** Nothing where conditions that are just short enough are too long with the opposite around them. */
const refusedOf = async (question: Question, limit: number): Promise<FilterTest["events"]> => {
  if (question.conditions === null) {
    return [];
  }
  try {
    return (await testFilters(oppositeOf(question), limit)).events;
  } catch (thrown) {
    if (asProblem(thrown).status === 400) {
      return [];
    }
    throw thrown;
  }
};

/**
 * Of the newest events those that would not have been sent, and why. What happened is asked for
 * first: so all of it was there when the other questions were asked, and what came since is left
 * out. Those look further back than it, by as many as may have come.
 */
export const keptOutQuery = (question: Question) =>
  queryOptions({
    queryKey: ["webhooks", "kept-out", question.filters, question.conditions],
    queryFn: async (): Promise<KeptOut[]> => {
      const { events: happened } = await testFilters(everything, newest);
      const { events: matched } = await testFilters(question, 2 * newest);
      const refused = await refusedOf(question, 2 * newest);
      return keptOutOf(question.filters, { happened, matched, refused });
    },
    placeholderData: keepPreviousData,
    staleTime: 15_000,
    ...inTurn,
  });

export const createWebhook = (input: WebhookInput) =>
  call(api.POST("/api/webhooks", { body: asBody(input) }));

export const changeWebhook = (webhookId: number, input: WebhookInput) =>
  call(
    api.PATCH("/api/webhooks/{webhookId}", {
      params: { path: { webhookId } },
      body: asBody(input),
    }),
  );

export const deleteWebhook = (webhookId: number) =>
  call(api.DELETE("/api/webhooks/{webhookId}", { params: { path: { webhookId } } }));

export const rotateSecret = (webhookId: number, overlapHours: number) =>
  call(
    api.POST("/api/webhooks/{webhookId}/rotate-secret", {
      params: { path: { webhookId } },
      body: { overlapHours },
    }),
  );

export const rotateKey = (webhookId: number, overlapHours: number) =>
  call(
    api.POST("/api/webhooks/{webhookId}/rotate-key", {
      params: { path: { webhookId } },
      body: { overlapHours },
    }),
  );

export const sendTest = (webhookId: number, body: { filter?: string; event?: string }) =>
  call(api.POST("/api/webhooks/{webhookId}/test", { params: { path: { webhookId } }, body }));

/** After a change: everything that shows webhooks is asked for again. */
export const refreshWebhooks = (client: QueryClient): Promise<void> =>
  client.invalidateQueries({ queryKey: ["webhooks"] });

const setActive = (webhook: Webhook, active: boolean): Webhook => ({
  ...webhook,
  active,
  disabled_reason: active ? null : webhook.disabled_reason,
  health: active ? webhook.health : { ...webhook.health, state: "off" },
});

/** Shows a switch as it will be. Answers how to show again what was. */
export const showSwitched = async (
  client: QueryClient,
  webhookId: number,
  active: boolean,
): Promise<() => void> => {
  // An answer that is under way would show the old state for a moment.
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
};
