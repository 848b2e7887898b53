import {
  exactObject,
  integer,
  listOf,
  nullableInteger,
  nullableText,
  text,
  timestamp,
  idParams,
  pageQuery,
  type PageQuery,
} from "../http/schema.ts";
import { pageHeaders, parsePage } from "../http/paging.ts";
import { ok, route, type Answer, type ApiRequest, type Route } from "../http/route.ts";
import { toTimestamp } from "../platform/timestamps.ts";
import type { HandledMessage, Hl7 } from "./service.ts";
import type { StoredMessage } from "./store.ts";

const common = { family: "solution", limit: "api" } as const;

const item = {
  id: integer,
  control_id: text,
  sending_application: text,
  sending_facility: text,
  type: text,
  result: { type: "string", enum: ["AA", "AE", "AR"] },
  conference_id: nullableInteger,
  created: timestamp,
};

type Hl7RoutesDeps = Readonly<{
  hl7: Pick<Hl7, "handle" | "list" | "get">;
  /** Schema of a conference in the REST API. */
  conferenceSchema: Readonly<Record<string, unknown>>;
}>;

export function hl7Routes(deps: Hl7RoutesDeps): Route[] {
  return [sendRoute(deps), listRoute(deps), getRoute(deps)];
}

const messageTypes = [
  "application/hl7-v2",
  "application/hl7-v2+er7",
  "x-application/hl7-v2+er7",
  "text/plain",
] as const;

/** Only messages with embedded documents are larger, and appointments have none. */
const maxMessageBytes = 256 * 1024;

function sendRoute({ hl7, conferenceSchema }: Hl7RoutesDeps): Route {
  return route({
    ...common,
    method: "POST",
    path: "/hl7",
    operationId: "api.v3.hl7.send",
    summary: "Send an HL7 v2 scheduling message (SIU S12 to S17, S26)",
    permission: "hl7.write",
    transport: "bytes",
    accepts: messageTypes,
    maxBodyBytes: maxMessageBytes,
    answer: {
      status: 200,
      schema: exactObject("Hl7Answer", {
        ack: text,
        conference: { anyOf: [conferenceSchema, { type: "null" }] },
      }),
      produces: messageTypes,
    },
    handle: async (request) => {
      const { enterpriseId, userId } = request.caller;
      const [type, charset] = contentType(request);
      const handled = await hl7.handle({
        actor: { enterpriseId, userId, mayWrite: true },
        bytes: request.bytes ?? Buffer.alloc(0),
        ...(charset === undefined ? {} : { charset }),
      });
      return answerOf(request, type, handled);
    },
  });
}

function contentType(request: ApiRequest): readonly [type: string, charset: string | undefined] {
  const [type = "", ...parameters] = (request.header("content-type") ?? "").split(";");
  const charset = parameters
    .map((parameter) => /^\s*charset="?(?<name>[^"\s]+)"?\s*$/iu.exec(parameter)?.groups?.["name"])
    .find((name) => name !== undefined);
  return [type.trim().toLowerCase(), charset];
}

function answerOf(request: ApiRequest, type: string, handled: HandledMessage): Answer {
  return wantsJson(request.header("accept"))
    ? ok({ ack: handled.ack, conference: handled.conference })
    : { status: 200, content: { type: `${type}; charset=utf-8`, data: handled.ack } };
}

/** JSON only if it is named explicitly: HL7 engines send no Accept header or a wildcard. */
function wantsJson(accept: string | undefined): boolean {
  return /(?:^|,)\s*application\/json\s*(?:[;,]|$)/iu.test(accept ?? "");
}

const pageRule = { defaultLimit: 10, maxLimit: 100 };

function listRoute({ hl7 }: Hl7RoutesDeps): Route {
  return route<unknown, PageQuery>({
    ...common,
    method: "GET",
    path: "/hl7/messages",
    operationId: "api.v3.hl7.messages.list",
    summary: "List received HL7 messages, newest first; kept for 30 days",
    permission: "hl7.read",
    query: { type: "object", properties: pageQuery },
    answer: { status: 200, schema: listOf("Hl7MessageList", exactObject("Hl7MessageItem", item)) },
    handle: async (request) => {
      const page = parsePage(request.query, pageRule);
      const { total, messages } = await hl7.list(request.caller.enterpriseId, page);
      return ok({ total, data: messages.map(present) }, pageHeaders(request.url, page, total));
    },
  });
}

const openedText = { ...nullableText, description: "null if it cannot be decrypted." };

function getRoute({ hl7 }: Hl7RoutesDeps): Route {
  return route<{ messageId: number }>({
    ...common,
    method: "GET",
    path: "/hl7/messages/{messageId}",
    operationId: "api.v3.hl7.messages.get",
    summary: "Read a received HL7 message and its acknowledgement",
    permission: "hl7.read",
    params: idParams("messageId"),
    answer: {
      status: 200,
      schema: exactObject("Hl7Message", { ...item, message: openedText, ack: openedText }),
    },
    handle: async ({ caller, params }) => {
      const message = await hl7.get(caller.enterpriseId, params.messageId);
      return ok({
        ...present(message),
        message: message.text ?? null,
        ack: message.ack ?? null,
      });
    },
  });
}

function present(message: StoredMessage) {
  return {
    id: message.id,
    control_id: message.controlId,
    sending_application: message.sendingApplication,
    sending_facility: message.sendingFacility,
    type: message.type,
    result: message.result,
    conference_id: message.conferenceId,
    created: toTimestamp(message.createdAt),
  };
}
