import { eventStreamType, type AnyRoute } from "../route.ts";
import { publicSchema } from "./public-schema.ts";
import { describeBody, describeParameters, isList } from "./input.ts";
import { describeRefusals } from "./refusals.ts";
import type { Collector } from "./schemas.ts";

export type Responses = Record<string, unknown>;

/** An operation. Refusals that it shares with others go into `responses`. */
export function describeOperation(
  route: AnyRoute,
  { collector, responses }: { collector: Collector; responses: Responses },
): Record<string, unknown> {
  const refusals = describeRefusals(route);
  for (const { name, response } of refusals) {
    responses[name] = response;
  }
  const parameters = describeParameters(route, collector);
  const body = describeBody(route, collector);
  return {
    operationId: route.operationId,
    tags: [tagOf(route)],
    summary: route.summary,
    description: descriptionOf(route),
    ...(route.isDeprecated === true ? { deprecated: true } : {}),
    security: securityOf(route),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: body }),
    responses: {
      ...describeSuccess(route, collector),
      ...Object.fromEntries(
        refusals.map(({ name, status }) => [
          String(status),
          { $ref: `#/components/responses/${name}` },
        ]),
      ),
    },
  };
}

/** The first word of the path: what the operation is about. */
export function tagOf({ path }: Pick<AnyRoute, "path">): string {
  return path.split("/")[1] ?? "";
}

function descriptionOf(route: AnyRoute): string {
  const aliases = (route.aliases ?? []).map((path) => `\`${route.method} /api${path}\``);
  return [
    permissionSentence(route),
    ...(aliases.length === 0 ? [] : [`Also at ${aliases.join(", ")}.`]),
  ].join(" ");
}

function permissionSentence(route: AnyRoute): string {
  switch (route.permission) {
    case "public":
      return "Needs no token.";
    case "guest":
      return `Needs a room token of one of the roles ${route.roles.join(", ")}.`;
    case "authenticated":
      return "Needs an access token of any role.";
    default:
      return `Needs the permission \`${route.permission}\`.`;
  }
}

function securityOf({ permission }: AnyRoute) {
  switch (permission) {
    case "public":
      return [];
    case "guest":
      return [{ room_token: [] }];
    default:
      return [{ access_token: [] }];
  }
}

const statusWords: Readonly<Record<number, string>> = {
  200: "Done",
  201: "Created",
  202: "Accepted: it will be done",
  204: "Done; the answer has no body",
  206: "The part that was asked for",
};

function describeSuccess(route: AnyRoute, collector: Collector) {
  const { status } = route.answer;
  const headers = headersOf(route);
  const answerWith = (code: number) => [
    String(code),
    { description: statusWords[code], headers, ...contentOf(route, collector) },
  ];
  return Object.fromEntries([answerWith(status), ...(isFile(route) ? [answerWith(206)] : [])]);
}

function headersOf(route: AnyRoute) {
  const names = ["X-Request-Id", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"];
  const isIdempotent = "isIdempotent" in route && route.isIdempotent;
  return Object.fromEntries(
    [
      ...names,
      ...(isList(route) ? ["X-Total-Count", "Link"] : []),
      ...(route.answer.status === 201 ? ["Location"] : []),
      ...(isIdempotent ? ["Idempotent-Replayed"] : []),
    ].map(header),
  );
}

function header(name: string) {
  return [name, { $ref: `#/components/headers/${name}` }] as const;
}

function contentOf(route: AnyRoute, collector: Collector) {
  const { schema, produces = [] } = route.answer;
  const json =
    schema === undefined
      ? {}
      : { "application/json": { schema: collector.lift(publicSchema(schema)) } };
  const other = Object.fromEntries(produces.map((type) => [type, { schema: rawSchema(type) }]));
  const content = { ...json, ...other };
  return Object.keys(content).length === 0 ? {} : { content };
}

const binary = { type: "string", format: "binary" };

function rawSchema(type: string) {
  return type === eventStreamType ? { type: "string" } : binary;
}

/** Answers that are files and nothing else, of which a part may be asked for. */
export function isFile({ method, answer: { schema, produces = [] } }: AnyRoute): boolean {
  return (
    method === "GET" &&
    schema === undefined &&
    produces.length > 0 &&
    !produces.includes(eventStreamType)
  );
}
