import type {
  TicketInvitationOrder,
  ConferenceInvitationOrder,
} from "../../src/contracts/invitations.ts";
import { expect } from "chai";
import { Problem } from "../../src/contracts/problems.ts";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { inTransaction } from "../../src/platform/db/transaction.ts";
import { useDatabase } from "../support/database.ts";
import { aConferenceRow, aTicketRow } from "../support/media-rows.ts";
import { openSendTasks, useMessaging } from "../support/messages.ts";

const link = "https://sightline.example/v/abc";

type StoredMessage = {
  id: number;
  channel: string;
  recipient: string;
  subject: string | null;
  text: string;
  html: string | null;
  calendar: string | null;
  status: string;
  error: string | null;
};

describe("invitations", () => {
  const database = useDatabase();
  const harness = useMessaging(database);
  let ticketId = 0;
  let conferenceId = 0;
  beforeEach(async () => {
    ({ id: ticketId } = await aTicketRow(database.db, harness.fixture));
    ({ id: conferenceId } = await aConferenceRow(database.db, harness.fixture));
  });

  const ticketOrder = (more: Partial<TicketInvitationOrder> = {}): TicketInvitationOrder => ({
    enterpriseId: harness.fixture.enterpriseId,
    serviceId: harness.fixture.service.id,
    ticketId,
    channels: ["email", "sms"],
    email: "ann@customer.example",
    phone: "+33612345678",
    languages: { asked: null, requestor: null },
    templateId: null,
    isTemplateOptional: false,
    variables: {
      link,
      informationLink: "https://sightline.example/i/abc",
      firstname: "Ann",
      lastname: null,
      name: null,
      agentName: "Ada Agent",
      subject: null,
      reference: "",
      startTime: new Date("2026-11-21T09:00:00Z"),
      endTime: new Date("2026-11-21T09:30:00Z"),
      isPlanned: false,
    },
    createdBy: harness.fixture.admin.id,
    at: harness.features.clock.now(),
    ...more,
  });

  const conferenceOrder = (
    more: Partial<ConferenceInvitationOrder> = {},
  ): ConferenceInvitationOrder => ({
    enterpriseId: harness.fixture.enterpriseId,
    serviceId: harness.fixture.service.id,
    conferenceId,
    guests: [
      { email: "bob@guest.example", phone: null, name: "Bob" },
      { email: null, phone: "+33612345699", name: null },
    ],
    language: null,
    variables: {
      link: "https://sightline.example/c/abc",
      name: 'Weekly "review"',
      organizerName: "Ada Agent",
      message: null,
      startTime: new Date("2027-07-21T09:00:00Z"),
      endTime: new Date("2027-07-21T09:30:00Z"),
      dialIn: null,
    },
    createdBy: null,
    at: harness.features.clock.now(),
    ...more,
  });

  const inviteTicket = (more?: Partial<TicketInvitationOrder>) =>
    inTransaction(database.db, (trx) =>
      harness.features.messaging.invitations.inviteToTicket(trx, ticketOrder(more)),
    );
  const inviteConference = (more?: Partial<ConferenceInvitationOrder>) =>
    inTransaction(database.db, (trx) =>
      harness.features.messaging.invitations.inviteToConference(trx, conferenceOrder(more), {
        unsendable: "refuse",
      }),
    );

  const messagesOf = (column: "ticket_id" | "conference_id", id: number) =>
    rowsOf<StoredMessage>(database.db, "SELECT * FROM messages WHERE ?? = ? ORDER BY id", [
      column,
      id,
    ]);

  const notClickedTasks = (id: number) =>
    rowsOf<{ due_at: Date; data: unknown; key: string }>(
      database.db,
      `SELECT due_at, data, key FROM tasks
       WHERE kind = 'invitation.notClicked' AND data ->> 'ticketId' = ? ORDER BY id`,
      [String(id)],
    );

  const refusalOf = async (work: Promise<unknown>): Promise<[string, string | undefined]> => {
    const thrown = await work.catch((error: unknown) => error);
    expect(thrown).to.be.instanceOf(Problem);
    const { kind, details } = thrown as Problem;
    return [kind, details];
  };

  it("are sent by mail and by SMS, each with its message and its task", async () => {
    await rowsOf(database.db, "UPDATE services SET not_clicked_minutes = 20 WHERE id = ?", [
      harness.fixture.service.id,
    ]);
    const made = await inviteTicket();
    expect(made.map(({ channel, isFirst }) => [channel, isFirst])).to.deep.equal([
      ["email", true],
      ["sms", true],
    ]);
    const messages = await messagesOf("ticket_id", ticketId);
    expect(messages.map(({ channel, recipient }) => [channel, recipient])).to.deep.equal([
      ["email", "ann@customer.example"],
      ["sms", "+33612345678"],
    ]);
    expect(messages[1]?.text).to.match(/https:\/\/sightline\.example\/v\/abc$/u);
    expect(messages[0]?.text).to.contain("Hello Ann,").and.contain("Ada Agent");
    expect(messages[0]?.calendar).to.equal(null);
    const sending = await openSendTasks(database.db);
    expect(sending).to.include.members(messages.map(({ id }) => id));
    const tasks = await notClickedTasks(ticketId);
    const due = new Date(harness.features.clock.now().getTime() + 20 * 60_000);
    expect(tasks).to.deep.equal(
      made.map(({ invitationId }) => ({
        due_at: due,
        data: { invitationId, ticketId },
        key: `invitation:${invitationId}`,
      })),
    );
  });

  it("can be repeated after a minute, five times per day and channel", async () => {
    await inviteTicket({ channels: ["sms"] });
    harness.features.clock.advance(59_000);
    expect(await refusalOf(inviteTicket({ channels: ["sms"] }))).to.deep.equal([
      "conflict",
      "Invitation too soon",
    ]);
    expect((await inviteTicket({ channels: ["email"] }))[0]?.isFirst).to.equal(true);
    for (let sent = 1; sent < 5; sent += 1) {
      harness.features.clock.advance(61_000);
      expect((await inviteTicket({ channels: ["sms"] }))[0]?.isFirst).to.equal(false);
    }
    harness.features.clock.advance(61_000);
    expect(await refusalOf(inviteTicket({ channels: ["sms"] }))).to.deep.equal([
      "conflict",
      "Invitation limit",
    ]);
    harness.features.clock.advance(24 * 3_600_000);
    expect(await inviteTicket({ channels: ["sms"] })).to.have.lengthOf(1);
  });

  it("skip a number that opted out, and are rejected if no recipient is left", async () => {
    await rowsOf(database.db, "INSERT INTO opt_outs (enterprise_id, phone) VALUES (?, ?)", [
      harness.fixture.enterpriseId,
      "+33612345678",
    ]);
    expect((await inviteTicket()).map(({ channel }) => channel)).to.deep.equal(["email"]);
    const [, sms] = await messagesOf("ticket_id", ticketId);
    expect(sms).to.include({ channel: "sms", status: "failed", error: "opted_out" });
    const refused = inviteTicket({ channels: ["sms"] });
    expect(await refusalOf(refused)).to.deep.equal(["conflict", "opted_out"]);
    expect(await messagesOf("ticket_id", ticketId)).to.have.lengthOf(2);
  });

  it("use the requested language, else the requestor's, the service's, the enterprise's", async () => {
    const subjects: (string | null | undefined)[] = [];
    const invite = async (asked: string | null, requestor: string | null): Promise<void> => {
      harness.features.clock.advance(61_000);
      await inviteTicket({ channels: ["email"], languages: { asked, requestor } });
      subjects.push((await messagesOf("ticket_id", ticketId)).at(-1)?.subject?.split(" ")[0]);
    };
    await rowsOf(database.db, "UPDATE services SET language = 'de' WHERE id = ?", [
      harness.fixture.service.id,
    ]);
    await invite("fr", "es");
    await invite("xx", "es");
    await invite(null, null);
    await rowsOf(database.db, "UPDATE services SET language = NULL WHERE id = ?", [
      harness.fixture.service.id,
    ]);
    await rowsOf(database.db, "UPDATE enterprises SET language = 'nl' WHERE id = ?", [
      harness.fixture.enterpriseId,
    ]);
    await invite(null, null);
    expect(subjects).to.deep.equal(["Votre", "Su", "Ihre", "Uw"]);
  });

  it("reject a template of another kind or enterprise", async () => {
    const refused = inviteTicket({ templateId: 987_654 });
    expect(await refusalOf(refused)).to.deep.equal(["invalid_parameter", "Parameter templateId"]);
  });

  it("contain the time in the enterprise's time zone, and a calendar entry if scheduled", async () => {
    const variables = { ...ticketOrder().variables, isPlanned: true };
    await inviteTicket({ variables, languages: { asked: "fr", requestor: null } });
    const [mail] = await messagesOf("ticket_id", ticketId);
    expect(mail?.text).to.contain("21 novembre 2026 à 10:00");
    expect(mail?.calendar).to.contain("METHOD:REQUEST").and.contain("DTSTART:20261121T090000Z");
    expect(mail?.calendar).to.contain(`UID:ticket-${ticketId}@sightline.example`);
  });

  it("of a conference are one calendar entry, with a higher SEQUENCE when it is cancelled", async () => {
    const made = await inviteConference();
    expect(made.map(({ channel, recipient }) => [channel, recipient])).to.deep.equal([
      ["email", "bob@guest.example"],
      ["sms", "+33612345699"],
    ]);
    await inTransaction(database.db, (trx) =>
      harness.features.messaging.invitations.remindConference(trx, conferenceOrder()),
    );
    await inTransaction(database.db, (trx) =>
      harness.features.messaging.invitations.cancelConference(trx, conferenceOrder()),
    );
    const stored = await messagesOf("conference_id", conferenceId);
    const [invited, , reminded, , cancelled] = stored;
    expect(stored).to.have.lengthOf(6);
    expect(invited?.subject).to.equal('Invitation: Weekly "review"');
    expect(invited?.html).to.contain("Weekly &quot;review&quot;");
    expect(reminded?.calendar).to.equal(null);
    const linesOf = (message: StoredMessage | undefined) =>
      (message?.calendar ?? "")
        .split("\r\n")
        .filter((line) => /^(?:METHOD|UID|SEQ|DT|STAT)/u.test(line));
    const common = [`UID:conference-${conferenceId}@sightline.example`];
    const times = [
      "DTSTAMP:20261120T100000Z",
      "DTSTART:20270721T090000Z",
      "DTEND:20270721T093000Z",
    ];
    expect(linesOf(invited)).to.deep.equal([
      "METHOD:REQUEST",
      ...common,
      "SEQUENCE:0",
      ...times,
      "STATUS:CONFIRMED",
    ]);
    expect(linesOf(cancelled)).to.deep.equal([
      "METHOD:CANCEL",
      ...common,
      "SEQUENCE:1",
      ...times,
      "STATUS:CANCELLED",
    ]);
    expect(cancelled?.text).to.not.contain("https://");
  });

  it("are not sent once the conference or ticket is over, unlike cancellations", async () => {
    const { db } = database;
    await inviteConference();
    await inviteTicket();
    await harness.queue({ ticketId });
    await rowsOf(db, "UPDATE conferences SET status = 'cancelled' WHERE id = ?", [conferenceId]);
    await rowsOf(db, "UPDATE tickets SET state = 'closed' WHERE id = ?", [ticketId]);
    await inTransaction(db, (trx) =>
      harness.features.messaging.invitations.cancelConference(trx, conferenceOrder()),
    );
    const send = async (column: "ticket_id" | "conference_id", id: number) => {
      await Promise.all((await messagesOf(column, id)).map((message) => harness.send(message.id)));
      return (await messagesOf(column, id)).map(({ status, error }) => error ?? status);
    };
    const sent = await send("conference_id", conferenceId);
    expect(sent).to.deep.equal(["outdated", "outdated", "sent", "sent"]);
    expect(await send("ticket_id", ticketId)).to.deep.equal(["outdated", "outdated", "sent"]);
  });

  it("do not block cancellations and reminders when the SMS quota is used up", async () => {
    await inviteConference();
    await rowsOf(database.db, "UPDATE enterprises SET max_sms_per_day = 1 WHERE id = ?", [
      harness.fixture.enterpriseId,
    ]);
    expect(await refusalOf(inviteConference())).to.deep.equal(["quota_reached", "Quota sms"]);
    const events = await inTransaction(database.db, (trx) =>
      harness.features.messaging.invitations.cancelConference(trx, conferenceOrder()),
    );
    expect(events.map(({ recipient }) => recipient)).to.deep.equal(["bob@guest.example"]);
  });
});
