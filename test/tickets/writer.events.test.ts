import { expect } from "chai";
import {
  agentEntry,
  priorityEntry,
  requestorEvent,
  ticketCreated,
  ticketDeleted,
  ticketUpdated,
} from "../../src/tickets/writer.ts";
import { parseFields } from "../../src/tickets/fields.ts";
import type { Ticket } from "../../src/tickets/model.ts";

const at = new Date("2026-11-20T10:00:00Z");
const agent = { email: "a@agents.test", phone: "", firstname: "Ada", lastname: "Agent" };

function aTicket(more: Partial<Ticket> = {}): Ticket {
  return {
    id: 1000,
    enterpriseId: 7,
    conversationId: 55,
    serviceId: 1,
    serviceKey: "k".repeat(32),
    buttonId: 2,
    agent: { id: 3, login: "ada", person: agent },
    state: "opened",
    ...parseFields({ email: "jane@example.com", firstname: "Jane" }),
    requestorSecret: "s".repeat(22),
    informationCode: "i".repeat(10),
    geoloc: null,
    templateId: null,
    lastInvitedAt: null,
    closeReason: null,
    startTime: at,
    endTime: at,
    createdAt: at,
    modifiedAt: at,
    ...more,
  };
}

describe("payload of ticket events", () => {
  it("contains only the state until a position is known", () => {
    expect(ticketCreated(aTicket())).to.deep.equal({
      enterpriseId: 7,
      key: "ticket:1000",
      event: "create",
      object: "ticket",
      objectId: 1000,
      props: { state: "opened" },
    });
    const located = aTicket({ geoloc: { lng: -3.36, lat: 48.65 } });
    expect(JSON.stringify(ticketUpdated(located).props)).to.equal(
      '{"state":"opened","geoloc":{"lat":48.65,"lng":-3.36}}',
    );
    expect(ticketDeleted(located).event).to.equal("delete");
  });

  it("contains only the agent for an agent's action", () => {
    expect(agentEntry(aTicket(), "ticket.closed", { id: 3, person: agent })).to.deep.equal({
      enterpriseId: 7,
      ticketId: 1000,
      conversationId: 55,
      eventType: "ticket.closed",
      source: "agent",
      at,
      attributes: { agent },
      agentId: 3,
    });
  });

  it("contains agent, old and new priority in this order", () => {
    const acting = { id: 3, person: agent };
    const priorities = { oldPriority: 2, newPriority: 4 };
    const { attributes, agentId } = priorityEntry(aTicket(), acting, priorities);
    expect(agentId).to.equal(3);
    expect(Object.entries(attributes)).to.deep.equal([
      ["agent", agent],
      ["oldPriority", 2],
      ["newPriority", 4],
    ]);
  });

  it("contains only strings of the customer", () => {
    const { requestor } = aTicket();
    const ticket = aTicket({ requestor: { ...requestor, phone: "+33612345678", email: null } });
    expect(requestorEvent(ticket, "ticket.invitationSent", "agent")).to.deep.equal({
      eventType: "ticket.invitationSent",
      source: "agent",
      attributes: {
        requestor: { email: "", phone: "+33612345678", firstname: "Jane", lastname: "" },
      },
    });
  });
});
