import type { TicketState } from "../contracts/events.ts";
import { invalidParameter } from "../contracts/problems.ts";
import { inTransaction, type Db, type Trx } from "../platform/db/pool.ts";
import { agentEntry, invitationEntries, ticketCreated } from "./events.ts";
import { parseNewTicket, type NewTicketInput } from "./input.ts";
import { move } from "./model.ts";
import type { DirectoryService, DirectoryUser, TicketDeps } from "./ports.ts";
import { requireAssignable, requireGroup } from "./reach.ts";
import type { CreateTicketBody } from "./schema.ts";
import { insertTicket, type NewTicket } from "./store.ts";
import type { Scope, Ticket } from "./ticket.ts";

/** A sso token outlives the planned end by this. */
const ssoGraceMs = 24 * 60 * 60 * 1000;

type CreatedTicket = { ticket: Ticket; ssoToken?: string };

type CreateOrder<T> = Readonly<{
  scope: Scope;
  body: CreateTicketBody;
  /** Runs first in the transaction: nothing was written yet. */
  before?: (trx: Trx) => Promise<void>;
  /** Runs last in the transaction and makes what the use case returns. */
  after: (trx: Trx, made: CreatedTicket) => Promise<T>;
}>;

export type CreateTicket = <T>(order: CreateOrder<T>) => Promise<T>;

type Parties = { agent: DirectoryUser; service: DirectoryService; groupId: number | null };

const checkType = (type: string, service: DirectoryService): void => {
  if (type !== "" && service.ticketTypes.length > 0 && !service.ticketTypes.includes(type)) {
    throw invalidParameter("type", "unknown");
  }
};

/** Who and what the input names. Each must exist in the caller's enterprise and be within reach. */
const findParties = async (
  { directory }: TicketDeps,
  db: Db,
  scope: Scope,
  input: NewTicketInput,
): Promise<Parties> => {
  const agent = await directory.findAgentByLogin(db, scope.enterpriseId, input.agentLogin);
  if (agent === undefined) {
    throw invalidParameter("agent", "unknown");
  }
  const service = await directory.findServiceForTickets(db, scope.enterpriseId, input.serviceKey);
  if (service === undefined) {
    throw invalidParameter("service_key", "unknown");
  }
  checkType(input.fields.type, service);
  const group =
    input.group === undefined
      ? null
      : await directory.findGroup(db, scope.enterpriseId, input.group);
  if (group === undefined) {
    throw invalidParameter("group", "unknown");
  }
  const groupId = group?.id ?? null;
  requireAssignable(scope, agent);
  requireGroup(scope, groupId);
  return { agent, service, groupId };
};

const born = ({ isInvited }: NewTicketInput): TicketState =>
  move("none", isInvited ? "createInvited" : "create").to as TicketState;

/**
 * One transaction: conversation, ticket, timeline, token, events. The invitation itself is sent
 * by what the timeline's `invitationSent` entries stand for; its state is already in the answer.
 */
export const createTicketCreator = (deps: TicketDeps): CreateTicket => {
  const { db, clock, ids, conversations, timeline, ssoTokens, outbox } = deps;

  const write = async (
    trx: Trx,
    scope: Scope,
    input: NewTicketInput,
    { agent, service, groupId }: Parties,
  ): Promise<Ticket> => {
    const now = clock.now();
    const conversation = await conversations.create(trx, {
      enterpriseId: scope.enterpriseId,
      at: now,
    });
    const fresh: Omit<NewTicket, "createdBy" | "groupId" | "templateId"> = {
      ...input.fields,
      enterpriseId: scope.enterpriseId,
      conversationId: conversation.id,
      serviceId: service.id,
      serviceKey: service.serviceKey,
      buttonId: service.buttonId,
      agent: { id: agent.id, login: agent.login, person: agent.person },
      state: born(input),
      requestorSecret: ids.base62(22),
      informationCode: ids.base62(10),
      geoloc: null,
      createdAt: now,
      modifiedAt: now,
    };
    const { userId: createdBy } = scope;
    const { templateId } = input;
    const id = await insertTicket(trx, { ...fresh, createdBy, groupId, templateId });
    return { ...fresh, id };
  };

  const tell = async (trx: Trx, ticket: Ticket, { agent }: Parties): Promise<void> => {
    const told = await timeline.write(trx, [
      agentEntry(ticket, "ticket.new", agent.person),
      agentEntry(ticket, "ticket.assigned", agent.person),
      ...(ticket.state === "invited" ? invitationEntries(ticket) : []),
    ]);
    await outbox.append(trx, [ticketCreated(ticket), ...told]);
  };

  const issueToken = (trx: Trx, ticket: Ticket, agent: DirectoryUser): Promise<string> =>
    ssoTokens.issueSsoToken(trx, {
      enterpriseId: ticket.enterpriseId,
      userId: agent.id,
      ticketId: ticket.id,
      expiresAt: new Date(ticket.endTime.getTime() + ssoGraceMs),
    });

  return async ({ scope, body, before, after }) => {
    const input = parseNewTicket(body, clock.now());
    const parties = await findParties(deps, db, scope, input);
    return inTransaction(db, async (trx) => {
      await before?.(trx);
      const ticket = await write(trx, scope, input, parties);
      await tell(trx, ticket, parties);
      return after(trx, {
        ticket,
        ...(input.wantsSso ? { ssoToken: await issueToken(trx, ticket, parties.agent) } : {}),
      });
    });
  };
};
