import type { TicketFields } from "./fields.ts";
import type { DirectoryUser, TicketService } from "../contracts/directory.ts";
import type { Scope } from "../contracts/permissions.ts";
import { checkAll, makeAndCheck } from "../contracts/problems.ts";
import { inTransaction, type Trx } from "../platform/db/pool.ts";
import { agentEntry, ticketCreated } from "./writer.ts";
import {
  parseNewTicket,
  type InvitationChoice,
  type NewTicketInput,
  type CreateTicketBody,
} from "./schema.ts";
import { createInviter } from "./invite.ts";
import type { TicketDeps } from "./ports.ts";
import {
  requireAgent,
  requireAssignable,
  requireGroup,
  requireKnownGroup,
  requireKnownService,
  requireAgentInService,
  requireType,
} from "./reach.ts";
import { type Ticket, transition } from "./model.ts";
import type { TicketState } from "../contracts/events.ts";
import { insertTicket, type NewTicket } from "./store.ts";

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

type TicketParties = { agent: DirectoryUser; service: TicketService; groupId: number | null };

export type CheckNewTicket = (scope: Scope, body: Partial<CreateTicketBody>) => Promise<unknown>;

/** `action` determines the initial state. */
type TicketToInsert = TicketFields &
  Pick<
    NewTicket,
    | "enterpriseId"
    | "serviceId"
    | "serviceKey"
    | "buttonId"
    | "agent"
    | "templateId"
    | "createdBy"
    | "groupId"
  > &
  Readonly<{ action: "create" | "createInvited" | "request"; at: Date }>;

export type TicketInsert = (trx: Trx, wanted: TicketToInsert) => Promise<Ticket>;

/** How long an SSO token is valid after the planned end. */
const ssoTokenGraceMs = 24 * 60 * 60 * 1000;

/**
 * Writes everything in one transaction: conversation, ticket, messages, timeline, token, events.
 * Messages are sent after the commit.
 */
export function createTicketCreator(deps: TicketDeps): CreateTicket {
  const { db, clock, timeline, ssoTokens, outbox } = deps;
  const insert = createTicketInsert(deps);
  const inviter = createInviter(deps);
  const read = createInputReader(deps);

  const write = (
    trx: Trx,
    { enterpriseId, userId: createdBy }: Scope,
    { fields, isInvited, templateId }: NewTicketInput,
    { agent: { id, login, person }, service, groupId }: TicketParties,
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

  const recordCreation = async (
    trx: Trx,
    ticket: Ticket,
    choice: InvitationChoice & { createdBy: number },
    parties: TicketParties,
  ): Promise<void> => {
    const { createdAt: at } = ticket;
    const isInvited = ticket.state === "invited";
    const invited = isInvited ? await inviter.invite(trx, ticket, { ...choice, at }) : [];
    const { person } = parties.agent;
    const entryEvents = await timeline.write(trx, [
      agentEntry(ticket, "ticket.new", person),
      agentEntry(ticket, "ticket.assigned", person),
      ...invited,
    ]);
    await outbox.append(trx, [ticketCreated(ticket), ...entryEvents]);
    await inviter.planReminder(trx, ticket, { minutes: parties.service.reminderMinutes, at });
  };

  const issueToken = (trx: Trx, ticket: Ticket, agent: DirectoryUser): Promise<string> =>
    ssoTokens.issueSsoToken(trx, {
      enterpriseId: ticket.enterpriseId,
      userId: agent.id,
      ticketId: ticket.id,
      expiresAt: new Date(ticket.endTime.getTime() + ssoTokenGraceMs),
    });

  return async ({ scope, body, before, after }) => {
    const { input, parties } = await read(scope, body);
    const channels = input.channels === undefined ? {} : { channels: input.channels };
    return inTransaction(db, async (trx) => {
      await before?.(trx);
      const ticket = await write(trx, scope, input, parties);
      await recordCreation(trx, ticket, { ...channels, createdBy: scope.userId }, parties);
      return after(trx, {
        ticket,
        ...(input.wantsSso ? { ssoToken: await issueToken(trx, ticket, parties.agent) } : {}),
      });
    });
  };
}

/** Inserts the ticket with its conversation and secrets. */
export function createTicketInsert({
  ids,
  conversations,
}: Pick<TicketDeps, "ids" | "conversations">): TicketInsert {
  return async (trx, { action, at, createdBy, groupId, ...fields }) => {
    const { enterpriseId } = fields;
    const conversation = await conversations.create(trx, { enterpriseId, at });
    const state = transition("none", action).to as TicketState;
    const ticket: Omit<Ticket, "id"> = {
      ...fields,
      conversationId: conversation.id,
      state,
      requestorSecret: ids.base62(22),
      informationCode: ids.base62(10),
      geoloc: null,
      lastInvitedAt: state === "invited" ? at : null,
      createdAt: at,
      modifiedAt: at,
    };
    const id = await insertTicket(trx, { ...ticket, createdBy, groupId });
    return { ...ticket, id };
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

/** Throws a 400 with every field whose reference is unknown. Creates nothing. */
export function createNewTicketCheck(deps: TicketDeps): CheckNewTicket {
  return (scope, { agent, service_key: serviceKey, type, group }) =>
    findReferences(deps, scope, {
      ...(agent === undefined ? {} : { agent }),
      ...(serviceKey === undefined ? {} : { serviceKey }),
      ...(type === undefined ? {} : { type }),
      ...(group === undefined || group === "" ? {} : { group: String(group) }),
    });
}

/** Resolves the agent, service and group. Each must exist in the caller's enterprise. */
async function findParties(
  deps: TicketDeps,
  scope: Scope,
  { agentLogin, serviceKey, group, fields }: NewTicketInput,
): Promise<TicketParties> {
  const { agent, service, groupId } = await findReferences(deps, scope, {
    agent: agentLogin,
    type: fields.type,
    ...(serviceKey === undefined ? {} : { serviceKey }),
    ...(group === undefined ? {} : { group }),
  });
  if (agent === undefined || service === undefined) {
    throw new Error("A ticket was to be made without an agent or a service");
  }
  requireAssignable(scope, agent);
  requireAgentInService(agent, service);
  requireGroup(scope, groupId);
  return { agent, service, groupId };
}

/** References of a new ticket; absent ones are not looked up. */
type TicketReferences = Readonly<{
  agent?: string;
  serviceKey?: string;
  type?: string;
  group?: string;
}>;

type FoundReferences = {
  agent?: DirectoryUser;
  service?: TicketService;
  groupId: number | null;
};

/** Throws a 400 with every reference that does not exist in the caller's enterprise. */
async function findReferences(
  { directory, db }: TicketDeps,
  { enterpriseId }: Scope,
  { agent: login, serviceKey, type = "", group: name }: TicketReferences,
): Promise<FoundReferences> {
  const found: FoundReferences = { groupId: null };
  await checkAll(
    async () => {
      if (login !== undefined) {
        found.agent = requireAgent(
          await directory.findAgentByLogin(db, enterpriseId, login),
          login,
        );
      }
    },
    async () => {
      const service = await directory.findServiceForTickets(db, enterpriseId, serviceKey);
      found.service = requireKnownService(service, serviceKey);
      requireType(type, found.service);
    },
    async () => {
      if (name !== undefined) {
        found.groupId = requireKnownGroup(await directory.findGroup(db, enterpriseId, name), name);
      }
    },
  );
  return found;
}
