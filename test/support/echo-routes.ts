/** Operations that return the request as parsed by the router. */
import { problem } from "../../src/contracts/problems.ts";
import { created, noContent, ok, publicRoute, route } from "../../src/http/route.ts";

const common = { summary: "x", family: "solution", limit: "api" } as const;

const echoSchema = {
  type: "object",
  required: ["name"],
  properties: { name: { type: "string" }, count: { type: "integer" } },
  additionalProperties: false,
} as const;

const faults: Record<string, () => unknown> = {
  unknown: () => new TypeError("secret detail in a stack"),
  database: () => Object.assign(new Error("refused"), { code: "ECONNREFUSED" }),
  conflict: () => problem("conflict", "No.", { details: "Transition done → invited" }),
};

export const echoRoutes = [
  route<{ ticketId: number }, { limit?: number }>({
    ...common,
    method: "GET",
    path: "/tickets/{ticketId}",
    operationId: "get",
    permission: "tickets.read",
    params: {
      type: "object",
      required: ["ticketId"],
      properties: { ticketId: { type: "integer" } },
    },
    query: { type: "object", properties: { limit: { type: "integer" } } },
    answer: { status: 200, schema: { type: "object" } },
    handle: async ({ params, query, reach, url, caller }) =>
      ok({ ...params, ...query, reach, url, userId: caller.userId }, { "X-Extra": "1" }),
  }),
  route<unknown, unknown, { name: string }>({
    ...common,
    method: "POST",
    path: "/echoes",
    operationId: "echo",
    permission: "tickets.write",
    body: echoSchema,
    answer: { status: 201, schema: echoSchema },
    handle: async ({ body }) => created(body, "/api/echoes/1"),
  }),
  route<unknown, unknown, { name: string }>({
    ...common,
    method: "POST",
    path: "/free",
    operationId: "free",
    permission: "tickets.write",
    transport: "any",
    body: echoSchema,
    answer: { status: 200, schema: echoSchema },
    handle: async ({ body }) => ok(body),
  }),
  route({
    ...common,
    method: "DELETE",
    path: "/echoes",
    operationId: "delete",
    permission: "users.write",
    limit: "events",
    answer: { status: 204 },
    handle: async () => noContent,
  }),
  route<{ name: string }>({
    ...common,
    method: "GET",
    path: "/faults/{name}",
    operationId: "fault",
    permission: "authenticated",
    answer: { status: 200 },
    problems: ["conflict"],
    handle: async ({ params }) => {
      throw faults[params.name]?.();
    },
  }),
  publicRoute<{ name: string }>({
    method: "POST",
    path: "/open",
    operationId: "open",
    summary: "x",
    limit: "tokenIp",
    transport: "any",
    body: echoSchema,
    answer: { status: 200, schema: { type: "object" } },
    handle: async ({ body, clientNetwork }) => ok({ ...body, clientNetwork }),
  }),
];
