import { limitQuery, periodQuery } from "../../http/request-schema.ts";
import { invalidParameter } from "../../contracts/problems.ts";
import { parsePage } from "../../http/paging.ts";
import { ok, route, type JsonSchema, type Route } from "../../http/route.ts";
import { parseBound } from "../../http/values.ts";
import { webhookParams, type WebhookParams } from "../schema.ts";
import { manifestAnswer, presentManifest, presentReckoning, reconcileAnswer } from "./present.ts";
import type { Period } from "./reconcile.ts";
import type { Asked, Proof } from "./service.ts";

type ReconcileQuery = { since?: string; until?: string; cursor?: string };

const manifestRule = { defaultLimit: 1_000, maxLimit: 1_000 };

const reading = { permission: "webhooks.read", family: "platform", limit: "api" } as const;

const reconcileSchema: JsonSchema = {
  type: "object",
  properties: {
    ...periodQuery,
    cursor: {
      type: "string",
      maxLength: 60,
      pattern: "^[0-9]{1,14}-[0-9]{1,14}-[0-9]{1,15}$",
      rule: "a next_cursor that this list gave",
    },
  },
};

const manifestSchema: JsonSchema = {
  type: "object",
  properties: {
    from: { type: "integer", minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
    to: { type: "integer", minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
    ...limitQuery(manifestRule),
  },
};

type ManifestQuery = { from?: number; to?: number; limit?: number };

/** Nothing got lost: for the enterprise, and for a receiver that compares with its own table. */
export function proofRoutes(proof: Proof): Route[] {
  return [
    route<unknown, ReconcileQuery>({
      ...reading,
      method: "GET",
      path: "/webhooks/reconcile",
      operationId: "reconcileWebhooks",
      summary: "Compare events with deliveries, and name every gap",
      query: reconcileSchema,
      answer: { status: 200, schema: reconcileAnswer },
      handle: async ({ caller, query }) =>
        ok(presentReckoning(await proof.reconcile(caller.enterpriseId, askedOf(query)))),
    }),
    route<WebhookParams, ManifestQuery>({
      ...reading,
      method: "GET",
      path: "/webhooks/{webhookId}/manifest",
      operationId: "getWebhookManifest",
      summary: "The deliveries of a webhook by their sequence, to compare with a receiver's own",
      params: webhookParams,
      query: manifestSchema,
      answer: { status: 200, schema: manifestAnswer },
      handle: async ({ caller, params, query }) => {
        const { from = 1, to } = query;
        const { limit } = parsePage(query, manifestRule);
        const page = { from, to, limit };
        return ok(
          presentManifest(await proof.manifest(caller.enterpriseId, params.webhookId, page)),
        );
      },
    }),
  ];
}

function askedOf({ since, until, cursor }: ReconcileQuery): Asked | Period {
  return cursor === undefined
    ? { since: parseBound("since", since), until: parseBound("until", until) }
    : parseCursor(cursor);
}

/** A cursor is the period in milliseconds and the id to go on after. */
const cursorForm = /^(?<since>\d{1,14})-(?<until>\d{1,14})-(?<after>\d{1,15})$/u;

function parseCursor(text: string): Period {
  const { since, until, after } = cursorForm.exec(text)?.groups ?? {};
  if (since === undefined || until === undefined || after === undefined) {
    throw invalidParameter(
      "cursor",
      "format",
      "The cursor must be a next_cursor that this list gave.",
    );
  }
  return {
    since: new Date(Number(since)),
    until: new Date(Number(until)),
    afterId: Number(after),
  };
}
