/**
 * The main guarantee, with the real processes of a production installation: a ticket created
 * through the REST API, and every later change of it, reaches a webhook receiver as `ticket` events
 * and timeline events. Events of one object arrive in commit order, with exact headers and body,
 * and with a signature that the independent `standardwebhooks` package accepts.
 */
import { expect } from "chai";
import { onBackend } from "../support/backends.ts";
import { aCustomer, type Customer, type Watching } from "../support/customer.ts";
import { useReceiver, type ReceivedRequest } from "../support/receiver.ts";
import { reconcileDeliveries } from "../support/reconcile-deliveries.ts";
import { isSignedWith } from "../support/signatures.ts";
import { useStack } from "../support/stack.ts";
import { eventsAbout } from "../support/tickets.ts";

/** `ticket create new`, `conversationevent create ticket.new`. */
function inWords(request: ReceivedRequest): string {
  const { object, event, props } = request.json() as {
    object: string;
    event: string;
    props: { state?: string; eventType?: string };
  };
  return `${object} ${event} ${props.state ?? props.eventType}`;
}

function ticketOf(request: ReceivedRequest): unknown {
  const { object, objectId, props } = request.json() as {
    object: string;
    objectId: number;
    props: { ticketId?: number };
  };
  return object === "ticket" ? objectId : props.ticketId;
}

/** The header as sent over the wire, including the spelling of its name. */
function rawHeader({ rawHeaders }: ReceivedRequest, name: string): string | undefined {
  const index = rawHeaders.findIndex((text, i) => i % 2 === 0 && text === name);
  return index < 0 ? undefined : rawHeaders[index + 1];
}

onBackend("redis", (kind) => {
  describe("the main job", () => {
    const { database, stack } = useStack(kind);
    const receiving = useReceiver();
    let customer: Customer;
    let watching: Watching;
    before("start the processes", async function () {
      this.timeout(120_000);
      await stack.release();
      await stack.startAll();
    });
    beforeEach("make a customer with a webhook for everything", async () => {
      customer = await aCustomer(database.db, stack);
      watching = await customer.watchAll(receiving.receiver);
    });

    it("delivers a ticket and its timeline to the receiver, exact and signed", async () => {
      const { receiver } = receiving;
      const ticket = await customer.createTicket();
      await receiver.sees(3);
      for (const request of receiver.requests) {
        expect(request.method).to.equal("POST");
        expect(rawHeader(request, "Content-Type")).to.equal("application/JSON");
        expect(rawHeader(request, "User-Agent")).to.equal("Sightline Cloud");
        expect(request.headers["webhook-attempt"]).to.equal("1");
        expect(Number(request.headers["content-length"])).to.equal(request.body.length);
        const body = request.json();
        expect(Object.keys(body)).to.deep.equal(["event", "time", "object", "objectId", "props"]);
        expect(body["time"]).to.be.closeTo(Date.now() / 1000, 60);
        expect(isSignedWith(watching.secret, request)).to.equal(true);
        expect(ticketOf(request)).to.equal(ticket);
      }
      expect(receiver.requests.map(inWords)).to.deep.equal([
        "ticket create new",
        "conversationevent create ticket.new",
        "conversationevent create ticket.assigned",
      ]);
      expect(receiver.requests.map((one) => one.headers["webhook-sequence"])).to.deep.equal([
        "1",
        "2",
        "3",
      ]);
      expect(new Set(receiver.ids()).size).to.equal(3);
    });

    it("rejects a signature with another body or key", async () => {
      const { receiver } = receiving;
      await customer.createTicket();
      await receiver.sees(1);
      const [request] = receiver.requests;
      const changed = { ...request, text: `${request?.text} ` } as ReceivedRequest;
      expect(isSignedWith(watching.secret, changed)).to.equal(false);
      const other = await customer.watchTickets(receiver);
      expect(isSignedWith(other.secret, request as ReceivedRequest)).to.equal(false);
    });

    it("delivers every later change, in commit order per object", async () => {
      const { receiver } = receiving;
      const change = async (ticket: number): Promise<void> => {
        await customer.api.succeed(`PATCH /tickets/${ticket}`, { body: { priority: 3 } });
        await customer.api.succeed(`POST /tickets/${ticket}/approve`);
        await customer.api.succeed(`POST /tickets/${ticket}/cancel`);
        await customer.api.succeed(`DELETE /tickets/${ticket}`);
      };
      const tickets = await Promise.all([1, 2, 3].map(() => customer.createTicket()));
      await Promise.all(tickets.map(change));
      const found = await reconcileDeliveries({
        db: database.db,
        enterpriseId: customer.enterpriseId,
        receiver,
        watching: [watching],
        accepted: tickets,
      });
      expect(found.twice).to.deep.equal([]);
      for (const ticket of tickets) {
        const arrived = receiver.requests.filter((one) => ticketOf(one) === ticket);
        const committed = await eventsAbout(database.db, ticket);
        expect(arrived.map((one) => one.json())).to.deep.equal(committed);
        expect(arrived.map(inWords)).to.have.members([
          "ticket create new",
          "conversationevent create ticket.new",
          "conversationevent create ticket.assigned",
          "ticket update new",
          "conversationevent create ticket.priorityChanged",
          "ticket update open",
          "conversationevent create ticket.approved",
          "ticket update closed",
          "conversationevent create ticket.cancelled",
          "ticket delete closed",
        ]);
      }
    });
  });
});
