/** The description of the REST interface, made from the operations that are served. */
import type { AnyRoute } from "../route.ts";
import { headers, parameters, securitySchemes } from "./components.ts";
import { describeOperation, tagOf, type Responses } from "./operation.ts";
import { problemSchema } from "./refusals.ts";
import { describeWebhooks, webhookHeaders, type DescribedWebhook } from "./webhooks.ts";
import { createCollector, toOpenApi30 } from "./schemas.ts";

export type DescribedApi = Readonly<{
  routes: readonly AnyRoute[];
  /** Public address without a slash at the end. */
  baseUrl: string;
  /** What is sent to receivers. */
  webhooks?: readonly DescribedWebhook[];
}>;

export type Document = Record<string, unknown>;

const description = `Every path is also served under \`/api/v2\` and \`/api/v3\`, and with its nouns
in the singular: \`/api/ticket/12/event\` is \`/api/tickets/12/events\`. \`/api/authentication\` is
an older name of \`/api/token\`. Errors are \`application/problem+json\` (RFC 9457) with a stable
\`code\`. Lists take \`limit\` and \`offset\`.`.replaceAll("\n", " ");

/** OpenAPI 3.1.0: the whole interface. */
export function describeApi({ routes, baseUrl, webhooks = [] }: DescribedApi): Document {
  const collector = createCollector();
  collector.lift(problemSchema);
  const responses: Responses = {};
  const paths = [...byPath(routes)].map(([path, operations]) => [
    `/api${path}`,
    Object.fromEntries(
      operations.map((route) => [
        route.method.toLowerCase(),
        describeOperation(route, { collector, responses }),
      ]),
    ),
  ]);
  return {
    openapi: "3.1.0",
    info: { title: "Sightline", version: "3.0", description },
    servers: [{ url: baseUrl }],
    tags: [...new Set(routes.map(tagOf))].toSorted().map((name) => ({ name })),
    paths: Object.fromEntries(paths) as unknown,
    ...(webhooks.length === 0 ? {} : { webhooks: describeWebhooks(webhooks, collector) }),
    components: {
      securitySchemes,
      headers,
      parameters: { ...parameters, ...(webhooks.length === 0 ? {} : webhookHeaders) },
      responses: sorted(responses),
      schemas: collector.collected(),
    },
  };
}

function byPath(routes: readonly AnyRoute[]): Map<string, AnyRoute[]> {
  const paths = new Map<string, AnyRoute[]>();
  for (const route of routes) {
    paths.set(route.path, [...(paths.get(route.path) ?? []), route]);
  }
  return paths;
}

const eventsPath = "/tickets/{ticketId}/events";

const eventsStatuses: ReadonlySet<string> = new Set(["200", "400", "401", "403", "404", "429"]);

type Operation = { responses: Record<string, { $ref?: string }> };

/** OpenAPI 3.0.0: the timeline of tickets alone, for clients that are generated from it. */
export function describeEventsApi({ routes, baseUrl }: DescribedApi): Document {
  const collector = createCollector();
  collector.lift(problemSchema);
  const responses: Responses = {};
  const served = routes.filter(({ path, method }) => path === eventsPath && method === "GET");
  const paths = served.map((route) => {
    const operation = describeOperation(route, { collector, responses }) as unknown as Operation;
    const kept = Object.entries(operation.responses).filter(([code]) => eventsStatuses.has(code));
    return [
      `/api/v3${eventsPath}`,
      { get: { ...operation, tags: ["tickets"], responses: Object.fromEntries(kept) } },
    ];
  });
  const isKept = ([name]: [string, unknown]): boolean =>
    eventsStatuses.has(/^Problem(\d{3})/u.exec(name)?.[1] ?? "");
  const refusals = Object.fromEntries(Object.entries(sorted(responses)).filter(isKept));
  const text = JSON.stringify([paths, refusals]);
  const isUsed = ([name]: [string, unknown]): boolean => text.includes(`/headers/${name}"`);
  return toOpenApi30({
    openapi: "3.0.0",
    info: { title: "Ticket events", version: "3.0" },
    servers: [{ url: baseUrl }],
    tags: [{ name: "tickets" }],
    paths: Object.fromEntries(paths) as unknown,
    components: {
      securitySchemes: { access_token: securitySchemes.access_token },
      headers: Object.fromEntries(Object.entries(headers).filter(isUsed)),
      responses: refusals,
      schemas: collector.collected(),
    },
  }) as Document;
}

function sorted(given: Responses): Responses {
  return Object.fromEntries(Object.entries(given).toSorted(([a], [b]) => a.localeCompare(b, "en")));
}
