import { expect } from "chai";
import type { WebhookBody } from "../../src/contracts/events.ts";
import {
  aTicketFixture,
  forceState,
  eventsAbout,
  useTicketApi,
  type TestUser,
  type TicketFixture,
} from "./tickets.ts";
import type { TestDatabase } from "./database.ts";

/** Creates tickets in any state, and acts on them through the API. */
export function useActing(database: TestDatabase) {
  const api = useTicketApi(database);
  let made: TicketFixture | undefined;
  before("make an enterprise", async () => {
    made = await aTicketFixture(database.db);
  });
  const fixture = (): TicketFixture => {
    if (made === undefined) {
      throw new Error("The enterprise exists inside tests and hooks only");
    }
    return made;
  };

  const create = async (more: Record<string, unknown> = {}): Promise<number> => {
    const { agent, admin: as } = fixture();
    const json = { agent: agent.login, email: "jane@example.com", ...more };
    const { status, body, text } = await api.call("POST /tickets", { as, json });
    expect(status, text).to.equal(201);
    return body.id;
  };

  return {
    get fixture() {
      return fixture();
    },
    api,
    create,
    inState: async (state: string, more: Record<string, unknown> = {}): Promise<number> => {
      const id = await create(more);
      await forceState(database.db, id, state);
      return id;
    },
    act: (id: number, action: string, as: TestUser = fixture().admin) =>
      api.call(`POST /tickets/${id}/${action}`, { as }),
    read: (id: number) => api.call(`GET /tickets/${id}`, { as: fixture().admin }),
    patch: (id: number, json: unknown) =>
      api.call(`PATCH /tickets/${id}`, { as: fixture().admin, json }),
    /** The events after the three events of the creation. */
    eventsSince: async (id: number): Promise<WebhookBody[]> =>
      (await eventsAbout(database.db, id)).slice(3),
  };
}
