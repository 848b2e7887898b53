/**
 * Answers of customers. Each answer is one transaction that locks the ticket and inserts the
 * answer's row. Only the insert that succeeds writes a timeline entry, so repeats and concurrent
 * requests change nothing.
 */
import { problem } from "../contracts/problems.ts";
import type { LinkEnd } from "../contracts/tickets.ts";
import type { Guest } from "../http/route.ts";
import type { Trx } from "../platform/db/pool.ts";
import { consentEntry, deviceEntries, requestorEntry } from "./events.ts";
import {
  anonymizeNetwork,
  changeAnswer,
  findAnswers,
  findOpenPositionRequest,
  hasConsent,
  insertAnswer,
  insertConsent,
  type PositionRequest,
} from "./store.ts";
import type { GuestDeps, GuestTicket } from "./ports.ts";
import { createPositions, findOrInsertRequest, type Positions } from "./positions.ts";
import type { ConsentBody, DevicesBody, SurveyBody } from "./schema.ts";
import { answerSurvey, findDueSurvey, type DueSurvey, findGuestService } from "./survey.ts";
import {
  createWithOpenTicket,
  createWithTicket,
  requireConsent,
  requireLink,
  ticketRefOf,
  type WithTicket,
} from "./with-ticket.ts";

/** Request metadata about the client. */
export type ClientInfo = Readonly<{ clientNetwork: string; userAgent: string }>;

export type GuestVisit = Readonly<{
  ticket: GuestTicket;
  hasConsent: boolean;
  hasDevices: boolean;
  isAccepted: boolean;
  positionRequest: PositionRequest | undefined;
  survey: DueSurvey | undefined;
  /** Why the customer cannot join any more; undefined while they can. */
  end: LinkEnd | undefined;
}>;

export type Guests = Positions & {
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
  /** 410 and 409 before anything that only somebody who agreed may do. */
  requireConsent(guest: Guest): Promise<void>;
  answerDevices(guest: Guest, body: DevicesBody): Promise<void>;
  /** The customer presses Enter, after consent and devices. */
  accept(guest: Guest): Promise<void>;
  findSurvey(guest: Guest): Promise<DueSurvey | undefined>;
  answerSurvey(guest: Guest, body: SurveyBody): Promise<void>;
};

export function createGuests(deps: GuestDeps): Guests {
  const withTicket = createWithTicket(deps);
  const withOpenTicket = createWithOpenTicket(deps, withTicket);
  return {
    ...createReads(deps, withTicket),
    ...createLinkSteps(deps, withTicket, withOpenTicket),
    ...createSteps(deps, withOpenTicket),
    consent: createConsent(deps, withOpenTicket),
    ...createPositions(deps, withOpenTicket),
    answerSurvey: (guest, body) =>
      withTicket(guest, (trx, ticket, at) => answerSurvey(deps, trx, { ticket, body, at })),
  };
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
          end: deps.tickets.linkEndOf(ticket, at),
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
          requireLink({ tickets }, ticket, at);
          await tickets.decline(trx, ticket, at);
        }
        const answer = { kind: "decline", occasion: guest.visit, answer: {}, at } as const;
        await insertAnswer(trx, { ...ticketRefOf(ticket), ...answer });
      }),
  };
}

function createSteps(
  { tickets }: GuestDeps,
  withOpenTicket: WithTicket,
): Pick<Guests, "requireConsent" | "answerDevices" | "accept"> {
  return {
    requireConsent: (guest) =>
      withOpenTicket(guest, (trx, ticket) => requireConsent(trx, ticket, guest.visit)),
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
