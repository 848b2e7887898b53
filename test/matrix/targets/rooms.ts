/** Tickets and conferences, and their objects. */
import { randomUUID } from "node:crypto";
import {
  aTenantChat,
  aTenantConference,
  aTenantPicture,
  aTenantSession,
  aRunningSession,
  ofConference,
  ofTicket,
} from "../../support/tenant-objects.ts";
import { aWholeTicket } from "../../support/tenant.ts";
import { everyConference, everyTicket, never, nobody, type Target } from "./target.ts";

export const ticketTargets: readonly Target[] = [
  ...everyTicket(async (_fixture, { id: ticketId }) => ({ ticketId })),
  never({ ticketId: nobody }),
];

export const ticketInCallTargets: readonly Target[] = [
  ...everyTicket(async ({ db }, { id: ticketId, conversationId }, { id: enterpriseId }) => {
    await aRunningSession(db, { enterpriseId, conversationId });
    return { ticketId };
  }),
  never({ ticketId: nobody }),
];

export const ticketOfEnterpriseTargets: readonly Target[] = [
  ...everyTicket(async (_fixture, { id: ticketId }, { id }) => ({ ticketId, enterpriseId: id })),
  {
    name: "its own, asked for below another enterprise",
    needs: undefined,
    make: async ({ db, own, foreign }, { id: agentId }) => ({
      ticketId: (await aWholeTicket(db, own, { agentId })).id,
      enterpriseId: foreign.id,
    }),
  },
  {
    name: "another enterprise's, asked for below its own",
    needs: undefined,
    make: async ({ db, own, foreign }) => ({
      ticketId: (await aWholeTicket(db, foreign, {})).id,
      enterpriseId: own.id,
    }),
  },
];

export const conferenceTargets: readonly Target[] = [
  ...everyConference(async (_fixture, { id: conferenceId }) => ({ conferenceId })),
  never({ conferenceId: nobody }),
];

export const dialInTargets: readonly Target[] = [
  ...everyConference(async (_fixture, { code }) => ({ code })).filter(
    ({ needs }) => needs !== "group",
  ),
  {
    name: "one that is over",
    needs: undefined,
    make: async ({ db, own }, { id: organizerId }) => ({
      code: (await aTenantConference(db, own, { organizerId, status: "ended" })).code,
    }),
  },
];

export const conversationTargets: readonly Target[] = [
  ...everyTicket(async ({ db }, { conversationId }, tenant) => {
    await aTenantChat(db, tenant, { conversationId });
    return { conversationId };
  }),
  ...everyConference(async (_fixture, { conversationId }) => ({ conversationId })),
  never({ conversationId: nobody }),
  never({ conversationId: randomUUID() }),
];

export const sessionTargets: readonly Target[] = [
  ...everyTicket(async ({ db }, { conversationId }, tenant) => ({
    sessionId: await aTenantSession(db, tenant, { conversationId }),
  })),
  ...everyConference(async ({ db }, { conversationId }, tenant) => ({
    sessionId: await aTenantSession(db, tenant, { conversationId }),
  })),
  never({ sessionId: randomUUID() }),
];

export const runningSessionTargets: readonly Target[] = [
  ...everyTicket(async ({ db }, ticket, tenant) => ({
    sessionId: await aRunningSession(db, { ...ticket, enterpriseId: tenant.id }),
  })),
  ...everyConference(async ({ db }, conference, tenant) => ({
    sessionId: await aRunningSession(db, { ...conference, enterpriseId: tenant.id }),
  })),
  {
    name: "one that has ended",
    needs: undefined,
    make: async ({ db, own }, { id: agentId }) => ({
      sessionId: await aTenantSession(db, own, await aWholeTicket(db, own, { agentId })),
    }),
  },
  never({ sessionId: randomUUID() }),
];

const mediaOfConferences = everyConference(async (fixture, conference, tenant) => ({
  mediaId: await aTenantPicture(fixture, tenant, ofConference(conference)),
}));

export const mediaOfTicketTargets: readonly Target[] = [
  ...everyTicket(async (fixture, ticket, tenant) => ({
    mediaId: await aTenantPicture(fixture, tenant, ofTicket(ticket)),
  })),
  {
    name: "a deleted one",
    needs: undefined,
    make: async (fixture, { id: agentId }) => {
      const ticket = await aWholeTicket(fixture.db, fixture.own, { agentId });
      const more = { deleted_at: new Date(), closed_at: new Date() };
      return { mediaId: await aTenantPicture(fixture, fixture.own, ofTicket(ticket), more) };
    },
  },
  never({ mediaId: nobody }),
];

export const mediaTargets: readonly Target[] = [...mediaOfTicketTargets, ...mediaOfConferences];
