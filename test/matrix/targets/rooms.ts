/** Tickets and conferences, and what they have. */
import { randomUUID } from "node:crypto";
import {
  aHouseChat,
  aHouseConference,
  aHousePicture,
  aHouseSession,
  aRunningSession,
  ofConference,
  ofTicket,
} from "../../support/house-objects.ts";
import { aWholeTicket } from "../../support/house.ts";
import { everyConference, everyTicket, never, nobody, type Target } from "./target.ts";

export const ticketTargets: readonly Target[] = [
  ...everyTicket(async (_world, { id: ticketId }) => ({ ticketId })),
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
  ...everyTicket(async (_world, { id: ticketId }, { id }) => ({ ticketId, enterpriseId: id })),
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
  ...everyConference(async (_world, { id: conferenceId }) => ({ conferenceId })),
  never({ conferenceId: nobody }),
];

export const dialInTargets: readonly Target[] = [
  ...everyConference(async (_world, { code }) => ({ code })).filter(
    ({ needs }) => needs !== "group",
  ),
  {
    name: "one that is over",
    needs: undefined,
    make: async ({ db, own }, { id: organizerId }) => ({
      code: (await aHouseConference(db, own, { organizerId, status: "ended" })).code,
    }),
  },
];

export const conversationTargets: readonly Target[] = [
  ...everyTicket(async ({ db }, { conversationId }, house) => {
    await aHouseChat(db, house, { conversationId });
    return { conversationId };
  }),
  ...everyConference(async (_world, { conversationId }) => ({ conversationId })),
  never({ conversationId: nobody }),
  never({ conversationId: randomUUID() }),
];

export const sessionTargets: readonly Target[] = [
  ...everyTicket(async ({ db }, { conversationId }, house) => ({
    sessionId: await aHouseSession(db, house, { conversationId }),
  })),
  ...everyConference(async ({ db }, { conversationId }, house) => ({
    sessionId: await aHouseSession(db, house, { conversationId }),
  })),
  never({ sessionId: randomUUID() }),
];

export const runningSessionTargets: readonly Target[] = [
  ...everyTicket(async ({ db }, ticket, house) => ({
    sessionId: await aRunningSession(db, { ...ticket, enterpriseId: house.id }),
  })),
  ...everyConference(async ({ db }, conference, house) => ({
    sessionId: await aRunningSession(db, { ...conference, enterpriseId: house.id }),
  })),
  {
    name: "one that has ended",
    needs: undefined,
    make: async ({ db, own }, { id: agentId }) => ({
      sessionId: await aHouseSession(db, own, await aWholeTicket(db, own, { agentId })),
    }),
  },
  never({ sessionId: randomUUID() }),
];

const mediaOfConferences = everyConference(async (world, conference, house) => ({
  mediaId: await aHousePicture(world, house, ofConference(conference)),
}));

export const mediaOfTicketTargets: readonly Target[] = [
  ...everyTicket(async (world, ticket, house) => ({
    mediaId: await aHousePicture(world, house, ofTicket(ticket)),
  })),
  {
    name: "a deleted one",
    needs: undefined,
    make: async (world, { id: agentId }) => {
      const ticket = await aWholeTicket(world.db, world.own, { agentId });
      const more = { deleted_at: new Date(), closed_at: new Date() };
      return { mediaId: await aHousePicture(world, world.own, ofTicket(ticket), more) };
    },
  },
  never({ mediaId: nobody }),
];

export const mediaTargets: readonly Target[] = [...mediaOfTicketTargets, ...mediaOfConferences];
