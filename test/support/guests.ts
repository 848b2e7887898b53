import { createGuestLinks } from "../../src/guests/links.ts";
import type { GuestDeps } from "../../src/guests/ports.ts";
import { guestRoutes, guestStaffRoutes } from "../../src/guests/routes.ts";
import { createGuests } from "../../src/guests/service.ts";
import type { Guest } from "../../src/http/route.ts";
import { rowsOf, type Db } from "../../src/platform/db/pool.ts";
import { randomIds } from "../../src/platform/ids.ts";
import { iceSettings } from "../../src/signalling/ports.ts";
import { testBaseUrl, testRoomTokens } from "./api.ts";
import type { TestCall } from "./ticket-calls.ts";
import type { TestDatabase } from "./database.ts";
import {
  aTicketFixture,
  createTicketFeatures,
  inWords,
  serveTicketApi,
  eventsAbout,
  type TicketApi,
  type TicketFeatures,
  type TicketFixture,
} from "./tickets.ts";

/** A TURN server that does not exist. */
const testIce = {
  stunUrls: ["stun:turn.example.com:3478"],
  turnUrls: ["turn:turn.example.com:3478?transport=udp"],
  turnSecret: "a secret of the tests",
  policy: "all",
} as const;

/** The guest feature on a test's database, with the real tickets, rooms and messages. */
function createGuestFeature(db: Db, features: TicketFeatures) {
  const ends: Date[] = [];
  const { clock, tickets, ofGuests, invitations, rooms } = features;
  const deps: GuestDeps = {
    db,
    clock,
    ids: randomIds,
    tickets: ofGuests,
    getTicket: (scope, id) => tickets.get(scope, id),
    markClicked: invitations.markClicked,
    findLatestSession: rooms.findLatestSession,
    // Verified with the system clock, unlike the rest of the test.
    roomTokens: {
      issue: (guest, expiresAt) => {
        ends.push(expiresAt);
        return testRoomTokens.issue(guest, new Date(Date.now() + 3_600_000));
      },
    },
    baseUrl: testBaseUrl,
  };
  const [links, guests] = [createGuestLinks(deps), createGuests(deps)];
  const iceFor = (participant: string) => iceSettings(testIce, participant, new Date());
  return { links, guests, iceFor, baseUrl: testBaseUrl, ends };
}

type Harness = { ends: Date[]; api: TicketApi; features: TicketFeatures; fixture: TicketFixture };

/** Customers and their agent, through the API, in a separate enterprise. */
export function useGuests(database: TestDatabase) {
  let harness: Harness | undefined;
  before("serve the guests' operations", async () => {
    const features = createTicketFeatures(database.db);
    const guests = createGuestFeature(database.db, features);
    const routes = [...guestRoutes(guests), ...guestStaffRoutes(guests)];
    const api = await serveTicketApi(database.db, features, routes);
    harness = { ends: guests.ends, api, features, fixture: await aTicketFixture(database.db) };
  });
  after("stop serving", async () => {
    await harness?.api.close();
  });
  const get = (): Harness => {
    if (harness === undefined) {
      throw new Error("Guests exist inside tests and hooks only");
    }
    return harness;
  };

  const call = (operation: string, input: TestCall = {}) => get().api.call(operation, input);

  /** Creates a ticket, invited by default. Returns it with the secret of its link. */
  const invite = async (more: Record<string, unknown> = {}) => {
    const { admin: as, agent } = get().fixture;
    const json = {
      agent: agent.login,
      email: "jane@example.com",
      firstname: "Jane",
      invite: 1,
      ...more,
    };
    const { body, text } = await call("POST /tickets", { as, json });
    const secret = String(body?.requestor_url ?? text).split("/v/")[1] ?? "";
    return { id: body.id as number, secret, body };
  };

  /** Starts a visit of the ticket's customer, whose calls carry a room token. */
  const enter = async (secret: string) => {
    const { body } = await call(`POST /guest/tickets/${secret}/token`);
    const guest = await testRoomTokens.verify(body.room_token);
    return {
      guest: guest as Guest,
      post: (path: string, json?: unknown) =>
        call(`POST /guest/${path}`, { token: body.room_token, json: json ?? {} }),
      get: (path: string) => call(`GET /guest/${path}`, { token: body.room_token }),
    };
  };

  return {
    call,
    invite,
    enter,
    get features() {
      return get().features;
    },
    /** The expiry times of the room tokens, in order of issue. */
    get tokenEnds() {
      return get().ends;
    },
    get fixture() {
      return get().fixture;
    },
    /** The events of the ticket after its creation and invitation. */
    eventsSince: async (id: number) => (await eventsAbout(database.db, id)).slice(4),
    eventNamesSince: async (id: number) => inWords((await eventsAbout(database.db, id)).slice(4)),
    rowOf: async (table: string, ticketId: number) => {
      const [row] = await rowsOf<Record<string, unknown>>(
        database.db,
        "SELECT * FROM ?? WHERE ticket_id = ?",
        [table, ticketId],
      );
      return row;
    },
  };
}

export type GuestHarness = ReturnType<typeof useGuests>;

export const agreed = {
  terms: true,
  privacy: true,
  textVersion: "2026-11",
  language: "fr",
} as const;
