import { fieldColumns, type TicketFields } from "./fields.ts";
import type { DirectoryUser } from "../contracts/directory.ts";
import type { Scope } from "../contracts/permissions.ts";
import { makeAndCheck } from "../contracts/problems.ts";
import type { Db, Trx } from "../platform/db/pool.ts";
import { reserveIds } from "../platform/db/prepared.ts";
import { inImplicitTransaction, insertWithId } from "../platform/db/transaction.ts";
import { agentEntry, ticketCreated } from "./writer.ts";
import {
  parseNewTicket,
  type InvitationChoice,
  type NewTicketInput,
  type CreateTicketBody,
} from "./schema.ts";
import { createInviter } from "./invite.ts";
import { expiresAt, type Ticket, type TicketDeps } from "./model.ts";
import { createNewTicketCheck, findParties, type TicketParties } from "./references.ts";
import { modifiedColumns } from "./store.ts";
import { transition } from "../contracts/tickets.ts";
import type { TicketState } from "../contracts/events.ts";

type CreatedTicket = { ticket: Ticket; ssoToken?: string };

type CreateTicketOrder<T> = Readonly<{
  scope: Scope;
  body: CreateTicketBody;
  /** Runs at the beginning of the transaction. */
  before?: (trx: Trx) => Promise<void>;
  /** Runs at the end of the transaction and returns the result of the use case. */
  after: (trx: Trx, made: CreatedTicket) => Promise<T>;
}>;

export type CreateTicket = <T>(order: CreateTicketOrder<T>) => Promise<T>;

type NewTicket = Omit<Ticket, "id">;

/** `action` determines the initial state. */
type TicketToInsert = Pick<
  NewTicket,
  "enterpriseId" | "serviceId" | "serviceKey" | "buttonId" | "agent" | "templateId"
> &
  Readonly<{
    action: "create" | "createInvited" | "request";
    at: Date;
    createdBy: number | null;
    groupId: number | null;
    /** Unique at the entry point: a repeated request has the same. */
    clientKey?: string | undefined;
    fields: TicketFields;
  }>;

/** The ids of the rows of a new ticket. */
export type NewTicketIds = Readonly<{
  conversation: number;
  ticket: number;
  /** Of its first timeline entries. */
  entries: readonly number[];
}>;

export type TicketInsert = (
  trx: Trx,
  wanted: TicketToInsert,
  ids: Pick<NewTicketIds, "conversation" | "ticket">,
) => Promise<Ticket>;

/** Reserves them before the transaction, so that its statements can be sent together. */
export async function reserveTicketIds(db: Db, entryCount: number): Promise<NewTicketIds> {
  const entryTables = Array.from({ length: entryCount }, () => "session_events");
  const tables = ["conversations", "tickets", ...entryTables];
  const [conversation, ticket, ...entries] = await reserveIds(db, tables);
  if (conversation === undefined || ticket === undefined || entries.length !== entryCount) {
    throw new Error("Not all ids of the new ticket were reserved");
  }
  return { conversation, ticket, entries };
}

/** How long an SSO token is valid after the planned end. */
const ssoTokenGraceMs = 24 * 60 * 60 * 1000;

/** The agent's link works until a day after the planned end of the ticket. */
export function endOfSsoTokens({ endTime }: Pick<Ticket, "endTime">): Date {
  return new Date(endTime.getTime() + ssoTokenGraceMs);
}

/**
 * Writes everything in one transaction: conversation, ticket, messages, timeline, token, events.
 * Messages are sent after the commit.
 */
export function createTicketCreator(deps: TicketDeps): CreateTicket {
  const { db, clock, timeline, ssoTokens, outbox } = deps;
  const insert = createTicketInsert(deps);
  const inviter = createInviter(deps);
  const read = createInputReader(deps);

  const recordCreation = async (
    trx: Trx,
    ticket: Ticket,
    choice: InvitationChoice & { createdBy: number; ids: NewTicketIds },
    { agent, service }: TicketParties,
  ): Promise<void> => {
    const { createdAt: at, state } = ticket;
    const invited = state === "invited" ? await inviter.invite(trx, ticket, { ...choice, at }) : [];
    const first = [
      agentEntry(ticket, "ticket.new", agent),
      agentEntry(ticket, "ticket.assigned", agent),
    ];
    const entryEvents = await timeline.write(trx, [...first, ...invited], choice.ids.entries);
    await outbox.append(trx, [ticketCreated(ticket), ...entryEvents]);
    if (state === "invited") {
      await inviter.planReminder(trx, ticket, { minutes: service.reminderMinutes, at });
    }
  };

  const issueToken = (trx: Trx, ticket: Ticket, agent: DirectoryUser): Promise<string> =>
    ssoTokens.issueSsoToken(trx, {
      enterpriseId: ticket.enterpriseId,
      userId: agent.id,
      ticketId: ticket.id,
      expiresAt: endOfSsoTokens(ticket),
    });

  return async ({ scope, body, before, after }) => {
    const [{ input, parties }, ids] = await Promise.all([
      read(scope, body),
      reserveTicketIds(db, 2),
    ]);
    const choice = {
      ...(input.channels === undefined ? {} : { channels: input.channels }),
      ...(input.templateId === null ? {} : { templateId: input.templateId }),
    };
    return inImplicitTransaction(db, async (trx) => {
      await before?.(trx);
      const wanted = toInsert(scope, { input, parties }, clock.now());
      const ticket = await insert(trx, wanted, ids);
      await recordCreation(trx, ticket, { ...choice, createdBy: scope.userId, ids }, parties);
      return after(trx, {
        ticket,
        ...(input.wantsSso ? { ssoToken: await issueToken(trx, ticket, parties.agent) } : {}),
      });
    });
  };
}

function toInsert(
  { enterpriseId, userId: createdBy }: Scope,
  { input, parties }: { input: NewTicketInput; parties: TicketParties },
  at: Date,
): TicketToInsert {
  const { agent, service, groupId } = parties;
  return {
    enterpriseId,
    serviceId: service.id,
    serviceKey: service.serviceKey,
    buttonId: service.buttonId,
    agent: { id: agent.id, login: agent.login, person: agent.person },
    action: input.isInvited ? "createInvited" : "create",
    templateId: input.templateId,
    createdBy,
    groupId,
    at,
    fields: input.fields,
  };
}

/** Inserts the ticket with its conversation and secrets. */
export function createTicketInsert({
  ids,
  conversations,
}: Pick<TicketDeps, "ids" | "conversations">): TicketInsert {
  return async (trx, wanted, reserved) => {
    const { enterpriseId, at } = wanted;
    const conversation = await conversations.create(trx, {
      enterpriseId,
      at,
      id: reserved.conversation,
    });
    const state = transition("none", wanted.action).to as TicketState;
    const ticket: NewTicket = {
      enterpriseId,
      conversationId: conversation.id,
      serviceId: wanted.serviceId,
      serviceKey: wanted.serviceKey,
      buttonId: wanted.buttonId,
      agent: wanted.agent,
      templateId: wanted.templateId,
      state,
      requestorSecret: ids.base62(22),
      informationCode: ids.base62(10),
      geoloc: null,
      closeReason: null,
      lastInvitedAt: state === "invited" ? at : null,
      createdAt: at,
      modifiedAt: at,
      ...wanted.fields,
    };
    return { id: await insertTicket(trx, ticket, wanted, reserved.ticket), ...ticket };
  };
}

/** Parses the body and resolves its references; throws a 400 with all errors of both. */
function createInputReader(deps: TicketDeps) {
  const checkNew = createNewTicketCheck(deps);
  return async (
    scope: Scope,
    body: CreateTicketBody,
  ): Promise<{ input: NewTicketInput; parties: TicketParties }> => {
    const input = await makeAndCheck(
      () => parseNewTicket(body, deps.clock.now()),
      () => checkNew(scope, body),
    );
    return { input, parties: await findParties(deps, scope, input) };
  };
}

function insertTicket(
  trx: Trx,
  ticket: NewTicket,
  { createdBy, groupId, clientKey }: Pick<TicketToInsert, "createdBy" | "groupId" | "clientKey">,
  id: number,
): Promise<number> {
  const row = {
    enterprise_id: ticket.enterpriseId,
    conversation_id: ticket.conversationId,
    service_id: ticket.serviceId,
    button_id: ticket.buttonId,
    agent_id: ticket.agent?.id ?? null,
    created_by: createdBy,
    group_id: groupId,
    template_id: ticket.templateId,
    state: ticket.state,
    requestor_secret: ticket.requestorSecret,
    information_code: ticket.informationCode,
    created_at: ticket.createdAt,
    last_invited_at: ticket.lastInvitedAt,
    ages_at: expiresAt(ticket),
    ...(clientKey === undefined ? {} : { client_key: clientKey }),
    start_time: ticket.startTime,
    end_time: ticket.endTime,
    ...modifiedColumns(ticket.modifiedAt),
    ...fieldColumns(ticket),
  };
  return insertWithId(trx, "tickets", row, id);
}
