import { expect } from "chai";
import { createTicket, eventTypesOf, move, openLink, succeed, type Body } from "../calls.ts";
import type { Client, Service } from "../service.ts";

/** The transitions of tickets that HTTP alone can cause. */
export function createMoves(service: Service) {
  const stateOf = async (id: number): Promise<string> =>
    (await succeed(service.admin, `GET /api/tickets/${id}`)).state;

  /** Creates a ticket and moves it to this state by regular calls. */
  const ways: Readonly<Record<string, () => Promise<Body>>> = {
    new: () => createTicket(service),
    invited: () => createTicket(service, { invite: "1" }),
    open: async () => move(service, (await createTicket(service)).id, "approve"),
    opened: async () => take(service.agent, (await createTicket(service)).id),
    updated: async () => {
      const { id } = await take(service.agent, (await createTicket(service)).id);
      return succeed(service.admin, `PATCH /api/tickets/${id}`, { json: { subject: "More" } });
    },
    declined: async () => {
      const ticket = await createTicket(service, { invite: "1" });
      await succeed(await openLink(service, ticket), "POST /api/guest/decline");
      return ticket;
    },
    rejected: async () => move(service, (await createTicket(service)).id, "reject"),
    closed: async () => move(service, (await createTicket(service)).id, "cancel"),
  };

  const take = async (client: Client, id: number): Promise<Body> =>
    succeed(client, `POST /api/tickets/${id}/take`);

  const inState = async (state: string): Promise<number> => {
    const way = ways[state];
    if (way === undefined) {
      throw new Error(`No way leads to ${state}`);
    }
    const { id } = await way();
    expect(await stateOf(id)).to.equal(state);
    return id;
  };

  /** The timeline entries that the action adds. */
  const addedBy = async (id: number, act: () => Promise<unknown>): Promise<string[]> => {
    const before = (await eventTypesOf(service, id)).length;
    await act();
    return (await eventTypesOf(service, id)).slice(before);
  };

  const refuse = async (id: number, action: string, details: string): Promise<void> => {
    const { status, body } = await service.admin.call(`POST /api/tickets/${id}/${action}`);
    expect({ status, code: body.code, details: body.details }).to.deep.equal({
      status: 409,
      code: 11,
      details,
    });
  };

  return { stateOf, take, inState, addedBy, refuse, states: Object.keys(ways) };
}
