import { pageHeaders, parsePage } from "../../http/paging.ts";
import { ok, route, type Answer, type Route } from "../../http/route.ts";
import type { Clock } from "../../platform/clock.ts";
import { actorOf } from "../../http/authorize.ts";
import { parseWords, parseIds } from "../log/query.ts";
import { webhookParams, type WebhookParams } from "../../http/schema.ts";
import {
  previewAnswer,
  repeatedAnswer,
  replayAnswer,
  replayListAnswer,
  selectionAnswer,
  presentPreview,
  presentReplay,
  presentSelection,
} from "./present.ts";
import { parseCriteria } from "./criteria.ts";
import {
  type ReplayAction,
  listReplaysSchema,
  repeatParams,
  replayParams,
  replaySchema,
  selectionSchema,
  type ListReplaysQuery,
  type RepeatParams,
  type ReplayBody,
  type ReplayParams,
  type SelectionBody,
} from "./model.ts";
import type { ReplayState } from "../../contracts/deliveries.ts";
import type { Replays } from "./service.ts";

type ReplayRouteDeps = Readonly<{ replays: Replays; clock: Clock }>;

const reading = { permission: "webhooks.read", family: "platform", limit: "api" } as const;

const writing = { ...reading, permission: "webhooks.write" } as const;

/**
 * The operations of replays. Registered before `GET /webhooks/{webhookId}`, which would match
 * `replays`.
 */
export function replayRoutes(deps: ReplayRouteDeps): Route[] {
  return [
    route<unknown, ListReplaysQuery>({
      ...reading,
      method: "GET",
      path: "/webhooks/replays",
      operationId: "listWebhookReplays",
      summary: "List the replays of the enterprise, newest first",
      query: listReplaysSchema,
      answer: { status: 200, schema: replayListAnswer },
      handle: async ({ caller, query, url }) => {
        const page = parsePage(query, { defaultLimit: 10, maxLimit: 100 });
        const filter = {
          subscriptionIds: parseIds("webhook", query.webhook),
          states: parseWords<ReplayState>(query.state),
        };
        const { total, replays } = await deps.replays.list(caller, filter, page);
        const now = deps.clock.now();
        const body = { total, data: replays.map((one) => presentReplay(one, now)) };
        return ok(body, pageHeaders(url, page, total));
      },
    }),
    route<ReplayParams>({
      ...reading,
      method: "GET",
      path: "/webhooks/replays/{replayId}",
      operationId: "getWebhookReplay",
      summary: "Read a replay and its progress",
      params: replayParams,
      answer: { status: 200, schema: replayAnswer },
      handle: async ({ caller, params }) =>
        ok(presentReplay(await deps.replays.get(caller, params.replayId), deps.clock.now())),
    }),
    ...startRoutes(deps),
    moveRoute(deps, "pause"),
    moveRoute(deps, "resume"),
    moveRoute(deps, "cancel"),
  ];
}

function startRoutes({ replays, clock }: ReplayRouteDeps): Route[] {
  return [
    route<unknown, unknown, SelectionBody>({
      ...writing,
      method: "POST",
      path: "/webhooks/deliveries/replay",
      operationId: "replayWebhookDeliveries",
      summary: "Replay the events of selected deliveries of any webhook",
      body: selectionSchema,
      answer: { status: 202, schema: selectionAnswer },
      handle: async (request) => {
        const replayed = await replays.repeatSelection(actorOf(request), request.body.deliveries);
        return { status: 202, body: presentSelection(replayed) };
      },
    }),
    route<RepeatParams>({
      ...writing,
      method: "POST",
      path: "/webhooks/{webhookId}/deliveries/{deliveryId}/replay",
      operationId: "replayWebhookDelivery",
      summary: "Replay an event",
      params: repeatParams,
      answer: { status: 202, schema: repeatedAnswer },
      handle: async (request) => {
        const { webhookId, deliveryId } = request.params;
        const made = await replays.repeat(actorOf(request), webhookId, deliveryId);
        const body = { ...presentReplay(made, clock.now()), delivery_id: made.deliveryId };
        return accepted(body, made.replay.id);
      },
    }),
    route<WebhookParams, unknown, ReplayBody>({
      ...writing,
      method: "POST",
      path: "/webhooks/{webhookId}/replay",
      operationId: "replayWebhook",
      summary: "Replay many events",
      params: webhookParams,
      body: replaySchema,
      transport: "any",
      answer: { status: 202, schema: replayAnswer },
      handle: async (request) => {
        const { params, body } = request;
        const input = { criteria: parseCriteria(body, clock.now()), rate: body.rate };
        const asked = await replays.create(actorOf(request), params.webhookId, input);
        return accepted(presentReplay(asked, clock.now()), asked.replay.id);
      },
    }),
    route<WebhookParams, unknown, ReplayBody>({
      ...reading,
      method: "POST",
      path: "/webhooks/{webhookId}/replay/preview",
      operationId: "previewWebhookReplay",
      summary: "Preview a replay",
      params: webhookParams,
      body: replaySchema,
      transport: "any",
      answer: { status: 200, schema: previewAnswer },
      handle: async ({ caller, params, body }) =>
        ok(
          presentPreview(
            await replays.preview(caller, params.webhookId, parseCriteria(body, clock.now())),
          ),
        ),
    }),
  ];
}

function accepted(body: unknown, id: number): Answer {
  return {
    status: 202,
    body,
    headers: { Location: `/api/webhooks/replays/${id}` },
  };
}

const moveSummaries: Record<ReplayAction, string> = {
  pause: "Pause a replay: create no more deliveries for now",
  resume: "Resume a paused replay",
  cancel: "Cancel a replay and its deliveries that were not sent yet",
};

function moveRoute({ replays, clock }: ReplayRouteDeps, action: ReplayAction): Route {
  return route<ReplayParams>({
    ...writing,
    method: "POST",
    path: `/webhooks/replays/{replayId}/${action}`,
    operationId: `${action}WebhookReplay`,
    summary: moveSummaries[action],
    params: replayParams,
    answer: { status: 200, schema: replayAnswer },
    handle: async (request) => {
      const moved = await replays.move(actorOf(request), request.params.replayId, action);
      return ok(presentReplay(moved, clock.now()));
    },
  });
}
