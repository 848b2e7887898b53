import type { Scope } from "../contracts/permissions.ts";
import { invalidParameter } from "../contracts/problems.ts";
import { inTransaction, type Db, type Trx } from "../platform/db/pool.ts";
import { agentEntry, ticketCreated } from "./events.ts";
import { parseNewTicket, type InvitationChoice, type NewTicketInput } from "./input.ts";
import { createTicketInsert } from "./insert.ts";
import { createInviter } from "./invite.ts";
import type { DirectoryService, DirectoryUser, TicketDeps } from "./ports.ts";
import { requireAssignable, requireGroup, requireService } from "./reach.ts";
import type { CreateTicketBody } from "./schema.ts";
import type { Ticket } from "./ticket.ts";

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
  requireService(agent, service);
  requireGroup(scope, groupId);
  return { agent, service, groupId };
};

/**
 * One transaction: conversation, ticket, messages, timeline, token, events. The messages are sent
 * once it is committed; the state is in the answer already.
 */
export const createTicketCreator = (deps: TicketDeps): CreateTicket => {
  const { db, clock, timeline, ssoTokens, outbox } = deps;
  const insert = createTicketInsert(deps);
  const inviter = createInviter(deps);

  const write = (
    trx: Trx,
    { enterpriseId, userId: createdBy }: Scope,
    { fields, isInvited, templateId }: NewTicketInput,
    { agent: { id, login, person }, service, groupId }: Parties,
  ): Promise<Ticket> => {
    const at = clock.now();
    return insert(trx, {
      ...fields,
      enterpriseId,
      serviceId: service.id,
      serviceKey: service.serviceKey,
      buttonId: service.buttonId,
      agent: { id, login, person },
      action: isInvited ? "createInvited" : "create",
      templateId,
      createdBy,
      groupId,
      at,
    });
  };

  const tell = async (
    trx: Trx,
    ticket: Ticket,
    choice: InvitationChoice & { createdBy: number },
    parties: Parties,
  ): Promise<void> => {
    const { createdAt: at } = ticket;
    const isInvited = ticket.state === "invited";
    const invited = isInvited ? await inviter.invite(trx, ticket, { ...choice, at }) : [];
    const { person } = parties.agent;
    const told = await timeline.write(trx, [
      agentEntry(ticket, "ticket.new", person),
      agentEntry(ticket, "ticket.assigned", person),
      ...invited,
    ]);
    await outbox.append(trx, [ticketCreated(ticket), ...told]);
    await inviter.planReminder(trx, ticket, { minutes: parties.service.reminderMinutes, at });
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
    const channels = input.channels === undefined ? {} : { channels: input.channels };
    return inTransaction(db, async (trx) => {
      await before?.(trx);
      const ticket = await write(trx, scope, input, parties);
      await tell(trx, ticket, { ...channels, createdBy: scope.userId }, parties);
      return after(trx, {
        ticket,
        ...(input.wantsSso ? { ssoToken: await issueToken(trx, ticket, parties.agent) } : {}),
      });
    });
  };
};
