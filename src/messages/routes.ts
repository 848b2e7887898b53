import type { Channel, MessageStatus } from "../contracts/invitations.ts";
import { scopeOf } from "../http/authorize.ts";
import { parseBound, splitCommaList } from "../http/values.ts";
import { pageHeaders, parsePage } from "../http/paging.ts";
import { defaultPage, orderedPageSchema, type OrderedPageQuery } from "../http/schema.ts";
import { created, ok, route, type Answer, type ApiRequest, type Route } from "../http/route.ts";
import { parseEmail, parsePhone } from "../platform/contact.ts";
import type { Trx, Db } from "../platform/db/pool.ts";
import type { Message } from "./model.ts";
import {
  presentEmail,
  presentSms,
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
  presentTicketMessage,
  ticketMessageListSchema,
  ticketParams,
  type TicketMessageParams,
} from "./schema.ts";
import type { Messages } from "./service.ts";
import { type MessageFilter, listTicketMessages } from "./store.ts";
import type { Scope } from "../contracts/permissions.ts";

const reading = { permission: "messages.read", family: "platform", limit: "api" } as const;

const writing = { ...reading, permission: "messages.send", isIdempotent: true } as const;

type ChannelRoutes = Readonly<{
  channel: Channel;
  path: "/sms" | "/emails";
  present: (message: Message) => object;
}>;

export function messageRoutes(messages: Messages): Route[] {
  return [...smsRoutes(messages), ...emailRoutes(messages)];
}

const sms: ChannelRoutes = { channel: "sms", path: "/sms", present: presentSms };

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
      handle: (request) =>
        messages.sendSms({ ...transactionHooks(request, sms), body: request.body }),
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

const email: ChannelRoutes = { channel: "email", path: "/emails", present: presentEmail };

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
      handle: (request) =>
        messages.sendEmail({ ...transactionHooks(request, email), body: request.body }),
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

/** Binds idempotency key and answer to the transaction of a create. */
function transactionHooks(request: ApiRequest, { path, present }: ChannelRoutes) {
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

function list(messages: Messages, { channel, present }: ChannelRoutes) {
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
    statuses: splitCommaList(query.status ?? "") as MessageStatus[],
    to: parseTo(channel, query.to),
    ticketId: query.ticketId,
    since: parseBound("since", query.since),
    until: parseBound("until", query.until),
    orderBy: columns[query.orderby ?? "date"],
    order: query.order ?? "desc",
    ...parsePage(query, defaultPage),
  };
}

const parsers = { email: parseEmail, sms: parsePhone };

/** The schema has rejected values that cannot be parsed. */
function parseTo(channel: Channel, text: string | undefined): string | undefined {
  return text === undefined ? undefined : parsers[channel](text);
}

function get(messages: Messages, { channel, present }: ChannelRoutes) {
  return async (request: ApiRequest<MessageParams>) =>
    ok(present(await messages.get(scopeOf(request), channel, request.params.messageId)));
}

/** Delivery statuses of a ticket's messages, for everybody who may read the ticket. */
type TicketMessageRoutesDeps = Readonly<{
  db: Db;
  /** 404 or 403 unless the scope reaches the ticket. */
  requireTicket: (scope: Scope, ticketId: number) => Promise<unknown>;
}>;

export function ticketMessageRoutes({ db, requireTicket }: TicketMessageRoutesDeps): Route[] {
  return [
    route<TicketMessageParams, OrderedPageQuery>({
      family: "solution",
      limit: "api",
      method: "GET",
      path: "/tickets/{ticketId}/messages",
      operationId: "api.v3.tickets.messages",
      summary: "List the SMS and mails of a ticket with their delivery status",
      permission: "tickets.read",
      params: ticketParams,
      query: orderedPageSchema,
      answer: { status: 200, schema: ticketMessageListSchema },
      handle: async (request) => {
        const { query, url } = request;
        const { ticketId } = request.params;
        const page = parsePage(query, { defaultLimit: 10, maxLimit: 100 });
        const scope = scopeOf(request);
        await requireTicket(scope, ticketId);
        const { order = "desc" } = query;
        const owner = { enterpriseId: scope.enterpriseId, ticketId };
        const { total, messages } = await listTicketMessages(db, owner, { ...page, order });
        return ok(
          { total, data: messages.map(presentTicketMessage) },
          pageHeaders(url, page, total),
        );
      },
    }),
  ];
}
