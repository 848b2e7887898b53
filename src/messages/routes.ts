import { scopeOf } from "../http/scope.ts";
import { parseBound } from "../http/values.ts";
import { wordsIn } from "../http/fields/words.ts";
import { pageHeaders, parsePage } from "../http/paging.ts";
import { usualPage } from "../http/request-schema.ts";
import { created, ok, route, type Answer, type ApiRequest, type Route } from "../http/route.ts";
import { parseEmail, parsePhone } from "../platform/contact.ts";
import type { Trx } from "../platform/db/pool.ts";
import type { Channel, Message, MessageStatus } from "./message.ts";
import { presentEmail, presentSms } from "./present.ts";
import {
  emailListSchema,
  emailSchema,
  listEmailsSchema,
  listSmsSchema,
  messageParams,
  sendEmailSchema,
  sendSmsSchema,
  smsListSchema,
  smsSchema,
  type ListMessagesQuery,
  type MessageParams,
  type SendEmailBody,
  type SendSmsBody,
} from "./schema.ts";
import type { Messages } from "./service.ts";
import type { MessageFilter } from "./store.ts";

const reading = { permission: "messages.read", family: "platform", limit: "api" } as const;

const writing = { ...reading, permission: "messages.send", isIdempotent: true } as const;

type Family = Readonly<{
  channel: Channel;
  path: "/sms" | "/emails";
  present: (message: Message) => object;
}>;

export function messageRoutes(messages: Messages): Route[] {
  return [...smsRoutes(messages), ...emailRoutes(messages)];
}

const sms: Family = { channel: "sms", path: "/sms", present: presentSms };

function smsRoutes(messages: Messages): Route[] {
  return [
    route<unknown, unknown, SendSmsBody>({
      ...writing,
      method: "POST",
      path: "/sms",
      operationId: "api.sms.create",
      summary: "Send an SMS",
      problems: ["quota_reached"],
      body: sendSmsSchema,
      answer: { status: 201, schema: smsSchema },
      alsoCheck: (request) => messages.checkNamed(scopeOf(request), request.body),
      handle: (request) => messages.sendSms({ ...around(request, sms), body: request.body }),
    }),
    route({
      ...reading,
      method: "GET",
      path: "/sms",
      operationId: "api.sms.list",
      summary: "List SMS",
      query: listSmsSchema,
      answer: { status: 200, schema: smsListSchema },
      handle: list(messages, sms),
    }),
    route<MessageParams>({
      ...reading,
      method: "GET",
      path: "/sms/{messageId}",
      operationId: "api.sms.get",
      summary: "Read an SMS",
      params: messageParams,
      answer: { status: 200, schema: smsSchema },
      handle: get(messages, sms),
    }),
  ];
}

const email: Family = { channel: "email", path: "/emails", present: presentEmail };

function emailRoutes(messages: Messages): Route[] {
  return [
    route<unknown, unknown, SendEmailBody>({
      ...writing,
      method: "POST",
      path: "/emails",
      operationId: "api.emails.create",
      summary: "Send a mail",
      body: sendEmailSchema,
      answer: { status: 201, schema: emailSchema },
      alsoCheck: (request) => messages.checkNamed(scopeOf(request), request.body),
      handle: (request) => messages.sendEmail({ ...around(request, email), body: request.body }),
    }),
    route({
      ...reading,
      method: "GET",
      path: "/emails",
      operationId: "api.emails.list",
      summary: "List mails",
      query: listEmailsSchema,
      answer: { status: 200, schema: emailListSchema },
      handle: list(messages, email),
    }),
    route<MessageParams>({
      ...reading,
      method: "GET",
      path: "/emails/{messageId}",
      operationId: "api.emails.get",
      summary: "Read a mail",
      params: messageParams,
      answer: { status: 200, schema: emailSchema },
      handle: get(messages, email),
    }),
  ];
}

/** What the answer and the key have to do with the transaction of a create. */
function around(request: ApiRequest, { path, present }: Family) {
  return {
    scope: scopeOf(request),
    before: async (trx: Trx) => request.idempotency?.begin(trx),
    after: async (trx: Trx, message: Message): Promise<Answer> => {
      const answer = created(present(message), `/api${path}/${message.id}`);
      await request.idempotency?.finish(trx, answer);
      return answer;
    },
  };
}

function list(messages: Messages, { channel, present }: Family) {
  return async (request: ApiRequest) => {
    const filter = parseFilter(channel, request.query as ListMessagesQuery);
    const { total, messages: found } = await messages.list(scopeOf(request), filter);
    return ok({ total, data: found.map(present) }, pageHeaders(request.url, filter, total));
  };
}

const columns = { date: "created_at", modified: "modified_at", id: "id" } as const;

function parseFilter(channel: Channel, query: ListMessagesQuery): MessageFilter {
  return {
    channel,
    statuses: wordsIn(query.status ?? "") as MessageStatus[],
    to: parseTo(channel, query.to),
    ticketId: query.ticketId,
    since: parseBound("since", query.since),
    until: parseBound("until", query.until),
    orderBy: columns[query.orderby ?? "date"],
    order: query.order ?? "desc",
    ...parsePage(query, usualPage),
  };
}

const parsers = { email: parseEmail, sms: parsePhone };

/** The schema has refused what cannot be parsed. */
function parseTo(channel: Channel, text: string | undefined): string | undefined {
  return text === undefined ? undefined : parsers[channel](text);
}

function get(messages: Messages, { channel, present }: Family) {
  return async (request: ApiRequest<MessageParams>) =>
    ok(present(await messages.get(scopeOf(request), channel, request.params.messageId)));
}
