/**
 * Answers of customers. Each answer is one transaction that locks the ticket and inserts the
 * answer's row. Only the insert that succeeds writes a timeline entry, so repeats and concurrent
 * requests change nothing.
 */
import type { Scope } from "../contracts/permissions.ts";
import { problem } from "../contracts/problems.ts";
import type { Geoloc } from "../contracts/session-events.ts";
import type { Guest } from "../http/route.ts";
import { inTransaction, type Trx } from "../platform/db/pool.ts";
import {
  consentEntry,
  deviceEntries,
  noPositionEntry,
  positionEntry,
  requestorEntry,
} from "./events.ts";
import {
  anonymizeNetwork,
  changeAnswer,
  findAnswers,
  findOpenPositionRequest,
  findPositionRequest,
  hasConsent,
  insertAnswer,
  insertConsent,
  insertPositionRequest,
  markPositionAnswered,
  type PositionRequest,
} from "./store.ts";
import type { GuestDeps, GuestTicket } from "./ports.ts";
import type { ConsentBody, DevicesBody, SurveyBody } from "./schema.ts";
import { answerSurvey, findDueSurvey, type DueSurvey, findGuestService } from "./survey.ts";

/** Request metadata about the client. */
export type ClientInfo = Readonly<{ clientNetwork: string; userAgent: string }>;

export type GuestVisit = Readonly<{
  ticket: GuestTicket;
  hasConsent: boolean;
  hasDevices: boolean;
  isAccepted: boolean;
  positionRequest: PositionRequest | undefined;
  survey: DueSurvey | undefined;
}>;

export type Guests = {
  /** The progress of this visit, for a reloaded page. */
  visit(guest: Guest): Promise<GuestVisit>;
  /** Once per invitation. Called by the page's script, because mail scanners also send the GET. */
  click(guest: Guest, invitationId: number | undefined, sender: ClientInfo): Promise<void>;
  /** Ends this visit: its room token is not valid any more. */
  decline(guest: Guest): Promise<void>;
  /** Returns the position request if the service asks for the position. */
  consent(
    guest: Guest,
    body: ConsentBody,
    sender: ClientInfo,
  ): Promise<PositionRequest | undefined>;
  /** Undefined: denied. */
  answerPosition(guest: Guest, requestId: string, geoloc: Geoloc | undefined): Promise<void>;
  answerDevices(guest: Guest, body: DevicesBody): Promise<void>;
  /** The customer presses Enter, after consent and devices. */
  accept(guest: Guest): Promise<void>;
  findSurvey(guest: Guest): Promise<DueSurvey | undefined>;
  answerSurvey(guest: Guest, body: SurveyBody): Promise<void>;
  /** Requests the position for an agent. Returns the open request if there is one. */
  askPosition(scope: Scope, ticketId: number): Promise<PositionRequest>;
};

type GuestWork<T> = (trx: Trx, ticket: GuestTicket, at: Date) => Promise<T>;

type WithTicket = <T>(guest: Guest, work: GuestWork<T>) => Promise<T>;

export function createGuests(deps: GuestDeps): Guests {
  const withTicket = createWithTicket(deps);
  const withOpenTicket = createWithOpenTicket(deps, withTicket);
  return {
    ...createReads(deps, withTicket),
    ...createLinkSteps(deps, withTicket, withOpenTicket),
    ...createSteps(deps, withOpenTicket),
    consent: createConsent(deps, withOpenTicket),
    answerPosition: createAnswerPosition(deps, withOpenTicket),
    answerSurvey: (guest, body) =>
      withTicket(guest, (trx, ticket, at) => answerSurvey(deps, trx, { ticket, body, at })),
    askPosition: async (scope, ticketId) => {
      const { enterpriseId } = await deps.getTicket(scope, ticketId);
      return inTransaction(deps.db, async (trx) => {
        const ticket = await deps.tickets.lock(trx, { enterpriseId, ticketId });
        const at = deps.clock.now();
        if (ticket === undefined || deps.tickets.isOver(ticket, at)) {
          throw problem("conflict", "No position can be requested on a closed ticket.");
        }
        return findOrInsertRequest(deps, trx, ticket, { askedBy: scope.userId, at });
      });
    },
  };
}

/** Runs work with the ticket of the guest's token, locked. */
function createWithTicket({ db, clock, tickets }: GuestDeps): WithTicket {
  return (guest, work) =>
    inTransaction(db, async (trx) => {
      const { enterpriseId, ticketId } = guest;
      const ticket =
        ticketId === null ? undefined : await tickets.lock(trx, { enterpriseId, ticketId });
      if (ticket === undefined) {
        throw gone();
      }
      return work(trx, ticket, clock.now());
    });
}

/** The same; 410 if the link has expired. */
function createWithOpenTicket(deps: GuestDeps, withTicket: WithTicket): WithTicket {
  return (guest, work) =>
    withTicket(guest, (trx, ticket, at) => {
      if (deps.tickets.isOver(ticket, at)) {
        throw gone();
      }
      return work(trx, ticket, at);
    });
}

function createReads(
  deps: GuestDeps,
  withTicket: WithTicket,
): Pick<Guests, "visit" | "findSurvey"> {
  const findSurvey = async (
    trx: Trx,
    ticket: GuestTicket,
    at: Date,
  ): Promise<DueSurvey | undefined> => {
    const service = await findGuestService(trx, ticket);
    return service && findDueSurvey(deps, trx, { ticket, service, at });
  };
  return {
    findSurvey: (guest) => withTicket(guest, findSurvey),
    visit: (guest) =>
      withTicket(guest, async (trx, ticket, at) => {
        const { visit: occasion } = guest;
        const answers = await findAnswers(trx, { ticketId: ticket.id, occasion });
        return {
          ticket,
          hasConsent: await hasConsent(trx, { ticketId: ticket.id, visit: occasion }),
          hasDevices: answers.includes("devices"),
          isAccepted: answers.includes("accept"),
          positionRequest: await findOpenPositionRequest(trx, ticketRefOf(ticket)),
          survey: await findSurvey(trx, ticket, at),
        };
      }),
  };
}

function createLinkSteps(
  { tickets, markClicked }: GuestDeps,
  withTicket: WithTicket,
  withOpenTicket: WithTicket,
): Pick<Guests, "click" | "decline"> {
  return {
    click: (guest, invitationId, { userAgent }) =>
      withOpenTicket(guest, async (trx, ticket, at) => {
        await tickets.recordUserAgent(trx, ticket, userAgent);
        const click = { ...ticketRefOf(ticket), invitationId, at };
        if ((await markClicked(trx, click)) !== undefined) {
          await tickets.writeTimeline(
            trx,
            ticket,
            [requestorEntry(ticket, "ticket.invitationClicked")],
            at,
          );
        }
      }),
    decline: (guest) =>
      withTicket(guest, async (trx, ticket, at) => {
        if (ticket.state !== "declined") {
          if (tickets.isOver(ticket, at)) {
            throw gone();
          }
          await tickets.decline(trx, ticket, at);
        }
        const answer = { kind: "decline", occasion: guest.visit, answer: {}, at } as const;
        await insertAnswer(trx, { ...ticketRefOf(ticket), ...answer });
      }),
  };
}

function gone(): Error {
  return problem("gone", "This link has expired.");
}

function createSteps(
  { tickets }: GuestDeps,
  withOpenTicket: WithTicket,
): Pick<Guests, "answerDevices" | "accept"> {
  return {
    answerDevices: (guest, { camera, microphone }) =>
      withOpenTicket(guest, async (trx, ticket, at) => {
        await requireConsent(trx, ticket, guest.visit);
        const answer = { camera, microphone };
        const step = { kind: "devices", occasion: guest.visit, answer, at } as const;
        const input = { ...ticketRefOf(ticket), ...step };
        // An answer that differs from the previous one replaces it; a repeated one changes nothing.
        if ((await insertAnswer(trx, input)) || (await changeAnswer(trx, input))) {
          await tickets.writeTimeline(trx, ticket, deviceEntries(ticket, answer), at);
        }
      }),
    accept: (guest) =>
      withOpenTicket(guest, async (trx, ticket, at) => {
        const { visit: occasion } = guest;
        await requireConsent(trx, ticket, occasion);
        const answers = await findAnswers(trx, { ticketId: ticket.id, occasion });
        if (!answers.includes("devices")) {
          throw problem("conflict", "Report the device permissions (camera and microphone) first.");
        }
        const value = { ...ticketRefOf(ticket), kind: "accept", occasion, answer: {} } as const;
        if (await insertAnswer(trx, { ...value, at })) {
          await tickets.writeTimeline(
            trx,
            ticket,
            [requestorEntry(ticket, "ticket.invitationAccepted")],
            at,
          );
        }
      }),
  };
}

function createConsent(deps: GuestDeps, withOpenTicket: WithTicket): Guests["consent"] {
  return (guest, body, { clientNetwork, userAgent }) =>
    withOpenTicket(guest, async (trx, ticket, at) => {
      const isFirst = await insertConsent(trx, {
        ...ticketRefOf(ticket),
        visit: guest.visit,
        textVersion: body.textVersion,
        language: body.language,
        hasRecordingNotice: body.hasRecordingNotice ?? false,
        network: anonymizeNetwork(clientNetwork),
        userAgent,
        at,
      });
      if (!isFirst) {
        await requireConsent(trx, ticket, guest.visit);
        return findOpenPositionRequest(trx, ticketRefOf(ticket));
      }
      await deps.tickets.recordUserAgent(trx, ticket, userAgent);
      await deps.tickets.writeTimeline(trx, ticket, [consentEntry], at);
      const service = await findGuestService(trx, ticket);
      return service?.asksPosition === true
        ? findOrInsertRequest(deps, trx, ticket, { askedBy: null, at })
        : findOpenPositionRequest(trx, ticketRefOf(ticket));
    });
}

/** The open request of the ticket, or a new one. */
async function findOrInsertRequest(
  { ids }: Pick<GuestDeps, "ids">,
  trx: Trx,
  ticket: GuestTicket,
  { askedBy, at }: { askedBy: number | null; at: Date },
): Promise<PositionRequest> {
  return (
    (await findOpenPositionRequest(trx, ticketRefOf(ticket))) ??
    (await insertPositionRequest(trx, { ...ticketRefOf(ticket), id: ids.uuid(), askedBy, at }))
  );
}

function createAnswerPosition(
  { tickets }: GuestDeps,
  withOpenTicket: WithTicket,
): Guests["answerPosition"] {
  return (guest, id, geoloc) =>
    withOpenTicket(guest, async (trx, ticket, at) => {
      const owner = ticketRefOf(ticket);
      if ((await findPositionRequest(trx, { ...owner, id })) === undefined) {
        throw problem("not_found", "No position was requested with this id.");
      }
      await requireConsent(trx, ticket, guest.visit);
      const answer = geoloc ?? { refused: true };
      if (!(await insertAnswer(trx, { ...owner, kind: "position", occasion: id, answer, at }))) {
        return;
      }
      await markPositionAnswered(trx, { id, ticketId: ticket.id, at });
      if (geoloc === undefined) {
        await tickets.writeTimeline(trx, ticket, [noPositionEntry], at);
      } else {
        await tickets.setPosition(trx, ticket, { geoloc, at, entries: [positionEntry(geoloc)] });
      }
    });
}

function ticketRefOf({ enterpriseId, id }: GuestTicket) {
  return { enterpriseId, ticketId: id };
}

async function requireConsent(trx: Trx, ticket: GuestTicket, visit: string): Promise<void> {
  if (!(await hasConsent(trx, { ticketId: ticket.id, visit }))) {
    throw problem("conflict", "Accept the terms first, in every visit and every session.");
  }
}
