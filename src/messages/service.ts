import type { Channel } from "../contracts/invitations.ts";
import type { Scope } from "../contracts/permissions.ts";
import { checkAll, invalidParameter, missingParameter, problem } from "../contracts/problems.ts";
import { printable } from "../http/input.ts";
import { type RateLimiter, rateLimited } from "../http/rate-limit.ts";
import type { Clock } from "../platform/clock.ts";
import { parseEmail, parsePhone } from "../platform/contact.ts";
import { rowsOf, type Db, type Queryable, type Trx } from "../platform/db/pool.ts";
import { inTransaction } from "../platform/db/transaction.ts";
import { type Message, type NewMessage, maxSmsLength } from "./model.ts";
import { findSendingRules } from "./rules-store.ts";
import type { QueueMessages } from "./outgoing.ts";
import type { SendEmailBody, SendSmsBody } from "./schema.ts";
import { findMessage, listMessages, type MessageFilter } from "./store.ts";
import { variablesOfKind } from "../contracts/message-templates.ts";
import { variablesIn, render } from "./templates/render.ts";
import { requireTemplate } from "./templates/service.ts";
import type { Template } from "./templates/store.ts";

export type MessageDeps = Readonly<{
  db: Db;
  clock: Clock;
  queue: QueueMessages;
  smsLimit: Pick<RateLimiter, "take">;
}>;

export type SendOrder<Body, T> = Readonly<{
  scope: Scope;
  body: Body;
  /** Runs at the start of the transaction, before any write. */
  before: (trx: Trx) => Promise<void>;
  /** Runs at the end of the transaction and builds the result. */
  after: (trx: Trx, message: Message) => Promise<T>;
}>;

export type Messages = {
  get(scope: Scope, channel: Channel, id: number): Promise<Message>;
  list(scope: Scope, filter: MessageFilter): Promise<{ total: number; messages: Message[] }>;
  /** 400 that names every unknown reference of a message. Sends nothing. */
  checkNamed(
    scope: Scope,
    body: Pick<Partial<SendSmsBody>, "ticketId" | "templateId">,
  ): Promise<void>;
  sendSms<T>(order: SendOrder<SendSmsBody, T>): Promise<T>;
  sendEmail<T>(order: SendOrder<SendEmailBody, T>): Promise<T>;
};

export function createMessages({ db, clock, queue, smsLimit }: MessageDeps): Messages {
  const send = <T>(
    { scope, before, after }: SendOrder<unknown, T>,
    content: Omit<NewMessage, "enterpriseId" | "createdBy" | "at">,
  ): Promise<T> =>
    inTransaction(db, async (trx) => {
      await before(trx);
      const { enterpriseId, userId: createdBy } = scope;
      const { ticketId = null } = content;
      // Lock order: the ticket before the SMS count, as for invitations. Otherwise they could
      // deadlock.
      await requireTicket(trx, { enterpriseId, ticketId }, "FOR KEY SHARE");
      const message: NewMessage = { ...content, enterpriseId, createdBy, at: clock.now() };
      const [queued] = await queue(trx, [message], { overQuota: "refuse" });
      const written = await findMessage(trx, enterpriseId, queued?.id ?? 0);
      return after(trx, written as Message);
    });

  const takeSms = async ({ enterpriseId }: Scope): Promise<void> => {
    const verdict = await smsLimit.take(String(enterpriseId));
    if (!verdict.isAllowed) {
      throw rateLimited(verdict, "Too many SMS.");
    }
  };

  /** Returns the text if the body is valid. */
  const checkSms = async ({ enterpriseId }: Scope, body: SendSmsBody): Promise<string> => {
    let text = "";
    await checkAll(
      () => requireTicket(db, { enterpriseId, ticketId: body.ticketId ?? null }),
      async () => {
        text = await textOf(db, enterpriseId, body);
      },
    );
    return text;
  };

  return {
    checkNamed: ({ enterpriseId }, { ticketId = null, templateId }) =>
      checkAll(
        () => requireTicket(db, { enterpriseId, ticketId }),
        () =>
          templateId === undefined ? undefined : requireSmsTemplate(db, enterpriseId, templateId),
      ),
    get: async ({ enterpriseId }, channel, id) => {
      const message = await findMessage(db, enterpriseId, id);
      if (message === undefined || message.channel !== channel || message.isPrivate) {
        throw problem("not_found", `Message ${id} was not found.`);
      }
      return message;
    },
    list: ({ enterpriseId }, filter) => listMessages(db, enterpriseId, filter),
    sendSms: async (order) => {
      const { scope, body } = order;
      const recipient = parsePhone(body.to) ?? body.to; // validated by the schema
      const { ticketId = null } = body;
      const text = await checkSms(scope, body);
      await takeSms(scope);
      return send(order, { channel: "sms", recipient, text, ticketId });
    },
    sendEmail: async (order) => {
      const { scope, body } = order;
      const { to, subject, text, html = null, ticketId = null } = body;
      const recipient = parseEmail(to) ?? to; // validated by the schema
      await requireTicket(db, { enterpriseId: scope.enterpriseId, ticketId });
      return send(order, { channel: "email", recipient, subject, text, html, ticketId });
    },
  };
}

/**
 * 400 if the enterprise has no such ticket. `lock` keeps the row unchanged until the end of the
 * transaction.
 */
async function requireTicket(
  db: Queryable,
  { enterpriseId, ticketId }: Readonly<{ enterpriseId: number; ticketId: number | null }>,
  lock: "" | "FOR KEY SHARE" = "",
): Promise<void> {
  if (ticketId === null) {
    return;
  }
  const found = await rowsOf(
    db,
    `SELECT 1 FROM tickets WHERE enterprise_id = ? AND id = ? AND deleted_at IS NULL ${lock}`,
    [enterpriseId, ticketId],
  );
  if (found.length === 0) {
    throw invalidParameter("ticketId", "unknown", `Ticket ${ticketId} was not found.`);
  }
}

async function textOf(db: Queryable, enterpriseId: number, body: SendSmsBody): Promise<string> {
  const { text, templateId } = body;
  if (text !== undefined && templateId !== undefined) {
    throw invalidParameter("templateId", "not_with_text", "Give text or templateId, not both.");
  }
  if (templateId !== undefined) {
    return templateText(db, enterpriseId, { ...body, templateId });
  }
  if (text === undefined) {
    throw missingParameter("text", "The text field is required when templateId is absent.");
  }
  return text;
}

/**
 * The rendered template. Every variable that the template names must have a value in the request.
 */
async function templateText(
  db: Queryable,
  enterpriseId: number,
  { templateId, variables = {} }: SendSmsBody & { templateId: number },
): Promise<string> {
  const template = await requireSmsTemplate(db, enterpriseId, templateId);
  const known: readonly string[] = variablesOfKind[template.kind];
  const unknown = Object.keys(variables).find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw invalidParameter(
      `variables.${printable(unknown)}`,
      "unknown_variable",
      `The template has no variable ${printable(unknown)}, only ${known.join(", ")}.`,
    );
  }
  const { name: enterprise } = await findSendingRules(db, enterpriseId);
  const values: Record<string, string> = { enterprise, ...variables };
  const missing = variablesIn(template.text).find((name) => values[name] === undefined);
  if (missing !== undefined) {
    throw missingParameter(`variables.${missing}`);
  }
  const { text } = render(template, values);
  if (text.length > maxSmsLength) {
    throw invalidParameter(
      "variables",
      "length",
      `The SMS has ${text.length} characters: that is too long.`,
    );
  }
  return text;
}

async function requireSmsTemplate(
  db: Queryable,
  enterpriseId: number,
  templateId: number,
): Promise<Template> {
  const template = await requireTemplate(db, enterpriseId, templateId);
  if (template.channel !== "sms") {
    throw invalidParameter(
      "templateId",
      "channel",
      `The template ${templateId} is for mails: use one for SMS.`,
    );
  }
  return template;
}
