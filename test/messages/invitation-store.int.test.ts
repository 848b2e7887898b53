import { expect } from "chai";
import {
  isOutdated,
  insertInvitation,
  markClicked,
  markNotClicked,
} from "../../src/messages/invitation-store.ts";
import type { Message } from "../../src/messages/model.ts";
import { findMessage } from "../../src/messages/store.ts";
import { inTransaction } from "../../src/platform/db/transaction.ts";
import { useDatabase } from "../support/database.ts";
import { aConferenceRow, aTicketRow } from "../support/media-rows.ts";
import { useMessaging } from "../support/messages.ts";

describe("a message with the link of its subject", () => {
  const database = useDatabase();
  const harness = useMessaging(database);

  it("is outdated once the recipient has a later invitation or cancellation", async () => {
    const { db } = database;
    const { enterpriseId } = harness.fixture;
    const { id: conferenceId } = await aConferenceRow(db, harness.fixture);
    const { id: ticketId } = await aTicketRow(db, harness.fixture);
    const calendar = "BEGIN:VCALENDAR";
    const to = { recipient: "bob@guest.example", conferenceId };
    const queue = async (...messages: Parameters<typeof harness.queue>) =>
      Promise.all(
        (await harness.queue(...messages)).map((id) => findMessage(db, enterpriseId, id)),
      );
    const outdated = async (messages: readonly (Message | undefined)[]) =>
      Promise.all(messages.map((message) => isOutdated(db, message!)));

    const mails = await queue(
      { ...to, channel: "email", subject: "Invitation", calendar },
      { ...to, channel: "email", subject: "Moved", calendar },
      { ...to, channel: "email", subject: "Reminder" },
      { ...to, channel: "email", subject: "Invitation", calendar, recipient: "ann@guest.example" },
    );
    expect(await outdated(mails)).to.deep.equal([true, false, false, false]);
    const texts = await queue({ conferenceId }, { conferenceId });
    expect(await outdated(texts)).to.deep.equal([true, false]);

    const ofTicket = await queue({ ticketId }, { ticketId }, { ticketId });
    expect(await outdated(ofTicket), "other SMS about the ticket").to.deep.equal(
      Array(3).fill(false),
    );
    const subject = { enterpriseId, ticketId, conferenceId: null };
    const [, messageId = 0] = ofTicket.map((message) => message?.id);
    const at = harness.features.clock.now();
    await inTransaction(db, (trx) =>
      insertInvitation(trx, subject, { messageId, channel: "sms", at }),
    );
    expect(await outdated(ofTicket)).to.deep.equal([true, false, false]);
  });
});

describe("clicks on invitations", () => {
  const database = useDatabase();
  const harness = useMessaging(database);
  let ticketId = 0;
  beforeEach(async () => {
    ({ id: ticketId } = await aTicketRow(database.db, harness.fixture));
  });

  /** Creates an earlier and a later invitation. */
  const invite = async (): Promise<number[]> => {
    const { enterpriseId } = harness.fixture;
    const messages = await harness.queue({}, {});
    const subject = { enterpriseId, ticketId, conferenceId: null };
    const at = harness.features.clock.now();
    return inTransaction(database.db, async (trx) => {
      const made: number[] = [];
      for (const messageId of messages) {
        made.push(await insertInvitation(trx, subject, { messageId, channel: "sms", at }));
      }
      return made;
    });
  };

  it("are recorded once, for the latest invitation by default", async () => {
    const [earlier, later] = await invite();
    const { enterpriseId } = harness.fixture;
    const at = harness.features.clock.now();
    const click = (invitationId: number | undefined, ofTicket = ticketId) =>
      inTransaction(database.db, (trx) =>
        markClicked(trx, {
          enterpriseId,
          ticketId: ofTicket,
          invitationId,
          at,
        }),
      );
    expect(await click(earlier, ticketId + 1)).to.equal(undefined);
    const wins = await Promise.all([click(undefined), click(undefined), click(undefined)]);
    expect(wins.filter((id) => id !== undefined)).to.deep.equal([later]);
    expect(await click(earlier)).to.equal(earlier);
    expect(await click(earlier)).to.equal(undefined);
  });

  const missed = (invitationId = 0) =>
    inTransaction(database.db, (trx) => {
      const { enterpriseId } = harness.fixture;
      return markNotClicked(trx, { enterpriseId, invitationId, at: harness.features.clock.now() });
    });

  it("are recorded as missing once", async () => {
    const [, later] = await invite();
    expect(await missed(later)).to.deep.equal({ ticketId });
    expect(await missed(later)).to.equal(undefined);
  });

  it("count for all earlier invitations of the ticket, but not for later ones", async () => {
    const sent = await invite();
    const { enterpriseId } = harness.fixture;
    await inTransaction(database.db, (trx) =>
      markClicked(trx, {
        enterpriseId,
        ticketId,
        invitationId: undefined,
        at: harness.features.clock.now(),
      }),
    );
    harness.features.clock.advance(1);
    const [resent] = await invite();
    for (const id of sent) {
      expect(await missed(id)).to.equal(undefined);
    }
    expect(await missed(resent)).to.deep.equal({ ticketId });
  });
});
