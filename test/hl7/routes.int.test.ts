import { expect } from "chai";
import { forceStatus, messagesAbout } from "../support/conferences.ts";
import { useDatabase } from "../support/database.ts";
import { aService } from "../support/factories.ts";
import { aMessage, segmentsOf, useHl7Api, type Sample } from "../support/hl7.ts";

describe("POST /hl7", () => {
  const database = useDatabase();
  const hospital = useHl7Api(database);

  const byClinician = (sample: Sample): string =>
    aMessage({ clinician: hospital.api.fixture.moderator.login, ...sample });
  const send = async (sample: Sample) => {
    const { status, text } = await hospital.send(byClinician(sample));
    expect(status, text).to.equal(200);
    return segmentsOf(text);
  };
  const read = async (id: string | undefined) =>
    (await hospital.api.call(`GET /conferences/${id}`, { as: hospital.api.fixture.admin })).body;
  const count = async (key: string): Promise<number> =>
    (await database.db("conferences").where({ external_key: `WARD ${key}` })).length;

  it("creates the conference of an appointment, and answers with links in the same media type", async () => {
    const { fixture } = hospital.api;
    const message = byClinician({ id: "NEW1", control: "CTL1" });
    const { status, type, text } = await hospital.send(message);
    expect([status, type]).to.deep.equal([200, "application/hl7-v2; charset=utf-8"]);
    const { MSH = [], ZVC = [] } = segmentsOf(text);
    const conference = await read(ZVC[1]);
    const person = { id: fixture.moderator.id, name: "Max Moderator" };
    expect(conference).to.deep.include({
      name: "RDV NEW1",
      start_time: "2026-12-01T08:30:00+00:00",
      end_time: "2026-12-01T09:15:00+00:00",
      organizer: person,
      moderator: person,
      created_by: { id: fixture.api.id, name: fixture.api.login },
    });
    expect(text.split("\r")).to.deep.equal([
      `MSH|^~\\&|SIGHTLINE||EHR|WARD|20261120100000+0000||ACK^S12^ACK|${MSH[9]}|P|2.5||||||UNICODE UTF-8`,
      "MSA|AA|CTL1",
      `ZVC|${conference.id}|${conference.url}|${ZVC[3]}|${conference.sip_dtmf_code}`,
      "",
    ]);
    expect(ZVC[3]).to.match(/^https:\/\/sightline\.example\/m\/.*\?access_token=[\w-]+$/u);
    expect(await messagesAbout(database.db, conference.id)).to.deep.equal([
      "anna@patients.test",
      "+33612345678",
    ]);
    const [row] = await database.db("conferences").where({ id: conference.id });
    expect(row.is_moderated).to.equal(true);
  });

  it("drops U+0000 and lone surrogates", async () => {
    const name = `A^${"😀".repeat(80)}`;
    const { ZVC = [] } = await send({ id: "NUL\\X00\\1", control: "N\\X00\\1", name });
    expect((await read(ZVC[1])).name).to.equal("RDV NUL1");
    const [guest] = await database.db("conference_guests").where({ conference_id: ZVC[1] });
    expect(guest.name).to.equal("😀".repeat(64));
  });

  it("reads at most twenty contacts of a patient", async () => {
    const many = (others: number): string => `${"x~".repeat(others)}^NET^^last@patients.test`;
    const written = async (contact: string): Promise<string[]> => {
      const { ZVC = [] } = await send({ id: `MANY${contact.length}`, contact });
      return messagesAbout(database.db, Number(ZVC[1]));
    };
    expect(await written(many(19))).to.deep.equal(["last@patients.test"]);
    expect(await written(many(20))).to.deep.equal([]);
  });

  it("answers JSON on request", async () => {
    const { text } = await hospital.send(byClinician({ id: "JSON1" }), {
      accept: "application/json",
    });
    const body = JSON.parse(text) as { ack: string; conference: { id: number } };
    expect(Object.keys(body)).to.deep.equal(["ack", "conference"]);
    expect(body.conference).to.deep.equal(await read(segmentsOf(body.ack)["ZVC"]?.[1]));
  });

  it("applies a message once, even if it arrives twice concurrently", async () => {
    const message = byClinician({ id: "TWICE" });
    const answers = await Promise.all([1, 2, 3].map(() => hospital.send(message)));
    const later = await hospital.send(message);
    const acks = new Set([...answers, later].map(({ text }) => text));
    expect(acks.size).to.equal(1);
    expect(await count("TWICE")).to.equal(1);
  });

  it("reschedules, changes and cancels the conference, and notifies the patient", async () => {
    const made = await send({ id: "LIFE" });
    const id = made["ZVC"]?.[1];
    const moved = await send({ id: "LIFE", event: "S13", start: "20261202093000+0000" });
    expect(moved["ZVC"]?.[1]).to.equal(id);
    expect((await read(id)).start_time).to.equal("2026-12-02T09:30:00+00:00");
    const contact = "^NET^^new@patients.test";
    await send({ id: "LIFE", event: "S14", start: "20261202093000+0000", contact });
    const cancelled = await send({ id: "LIFE", event: "S15" });
    expect(cancelled["MSA"]).to.deep.equal(["MSA", "AA", cancelled["MSA"]?.[2]]);
    expect(cancelled["ZVC"]).to.equal(undefined);
    expect((await read(id)).status).to.equal("cancelled");
    expect((await send({ id: "LIFE", event: "S17" }))["MSA"]?.[1]).to.equal("AA");
    expect(await messagesAbout(database.db, Number(id))).to.deep.equal([
      "anna@patients.test",
      "+33612345678",
      "anna@patients.test",
      "+33612345678",
      "anna@patients.test cancelled",
      "+33612345678",
      "new@patients.test",
      "new@patients.test cancelled",
    ]);
  });

  it("creates the conference if a change names an unknown appointment", async () => {
    const changed = await send({ id: "LATE", event: "S14" });
    expect(changed["MSA"]?.[1]).to.equal("AA");
    expect(await count("LATE")).to.equal(1);
  });

  it("acknowledges a no-show without an effect", async () => {
    const made = await send({ id: "NOSHOW" });
    const before = await read(made["ZVC"]?.[1]);
    expect((await send({ id: "NOSHOW", event: "S26" }))["MSA"]?.[1]).to.equal("AA");
    expect(await read(made["ZVC"]?.[1])).to.deep.equal(before);
  });

  it("finds the clinician by external id, and the service by name", async () => {
    const { fixture } = hospital.api;
    const service = await aService(database.db, {
      enterprise_id: fixture.enterpriseId,
      kind: "conference",
      name: "Tele Care",
    });
    const clinician = `dr-${fixture.organizer.id}`;
    const made = await send({ id: "EXT", clinician, receiver: "TELE CARE" });
    const conference = await read(made["ZVC"]?.[1]);
    expect(conference.moderator.id).to.equal(fixture.moderator.id);
    expect(conference.service_key).to.equal(service.service_key);
  });

  it("creates one conference for two different concurrent messages of an appointment", async () => {
    const racing = ["S12", "S12", "S13"].map((event) => send({ id: "RACE", event }));
    const results = (await Promise.all(racing)).map(({ MSA }) => MSA?.[1]);
    expect(await count("RACE")).to.equal(1);
    expect(results.slice(0, 2)).to.include("AE");
    expect(results[2]).to.equal("AA");
  });

  it("invites nobody to an appointment that has ended, as in a feed that is sent again", async () => {
    const { MSA = [], ZVC = [] } = await send({ id: "PAST", start: "20261120080000+0000" });
    expect(MSA[1]).to.equal("AA");
    expect((await read(ZVC[1])).start_time).to.equal("2026-11-20T08:00:00+00:00");
    expect(await messagesAbout(database.db, Number(ZVC[1]))).to.deep.equal([]);
    await send({ id: "PAST", event: "S13", start: "20261202093000+0000" });
    expect(await messagesAbout(database.db, Number(ZVC[1]))).to.deep.equal([
      "anna@patients.test",
      "+33612345678",
    ]);
  });

  it("accepts the last start time of the API, with an end in the next year", async () => {
    const { ZVC } = await send({ id: "LAST", start: "99981231235900+0000", duration: "1440" });
    const { start_time: start, end_time: end } = await read(ZVC?.[1]);
    expect([start, end]).to.deep.equal(["9998-12-31T23:59:00+00:00", "9999-01-01T23:59:00+00:00"]);
  });

  it("invites nobody if the appointment is pending or no contact is usable", async () => {
    const pending = await send({ id: "PEND", status: "Pending" });
    const local = await send({ id: "LOCAL", contact: "0612345678" });
    for (const { ZVC } of [pending, local]) {
      expect(await messagesAbout(database.db, Number(ZVC?.[1]))).to.deep.equal([]);
    }
  });

  it("invites the patient of a pending appointment once, when it is booked", async () => {
    const { ZVC } = await send({ id: "BOOKED", status: "Pending" });
    const invited = ["anna@patients.test", "+33612345678"];
    for (const [status, expected] of [
      ["Pending", []],
      ["Booked", invited],
      ["Booked", invited],
    ] as const) {
      await send({ id: "BOOKED", event: "S14", status });
      expect(await messagesAbout(database.db, Number(ZVC?.[1]))).to.deep.equal(expected);
    }
  });

  it("reads older charsets, line feeds and escapes", async () => {
    const text = byClinician({
      id: "A\\T\\B",
      name: "Müller^Zoë",
      charset: "8859/1",
    }).replaceAll("\r", "\r\n");
    const { text: ack } = await hospital.send(Buffer.from(text, "latin1"));
    const id = segmentsOf(ack)["ZVC"]?.[1];
    expect((await read(id)).name).to.equal("RDV A&B");
    const guests = await database.db("conference_guests").where({ conference_id: id });
    expect(guests[0].name).to.equal("Zoë Müller");
  });

  describe("rejects", () => {
    const faults: readonly (readonly [string, Sample, "AE" | "AR", string, string])[] = [
      ["an unknown clinician", { clinician: "nobody" }, "AE", "AIP^1^3", "204"],
      ["no clinician", { clinician: "" }, "AE", "AIP^1^3", "101"],
      ["an invalid date", { start: "20261301" }, "AE", "SCH^1^11", "102"],
      ["a year above 9998", { start: "999912312359" }, "AE", "SCH^1^11", "102"],
      ["a time before 1970", { start: "19700101000000+0100" }, "AE", "SCH^1^11", "102"],
      ["no date", { start: "" }, "AE", "SCH^1^11", "101"],
      ["an invalid duration", { duration: "0" }, "AE", "SCH^1^9", "102"],
      ["no id", { id: "" }, "AE", "SCH^1^2", "101"],
      [
        "a cancellation of an unknown appointment",
        { event: "S15", id: "NONE" },
        "AE",
        "SCH^1^2",
        "204",
      ],
      ["another event", { event: "S18" }, "AR", "MSH^1^9", "201"],
      ["another type", { type: "ADT", event: "A01" }, "AR", "MSH^1^9", "200"],
      ["another version", { version: "2.7" }, "AR", "MSH^1^12", "203"],
    ];
    for (const [what, sample, result, place, code] of faults) {
      it(`${what} with ${result} and the location`, async () => {
        const { MSA, ERR = [], ZVC } = await send({ id: "FAULT", ...sample });
        expect([MSA?.[1], ERR[2], ERR[3]?.split("^")[0], ZVC]).to.deep.equal([
          result,
          place,
          code,
          undefined,
        ]);
        expect(await count("FAULT")).to.equal(0);
      });
    }

    it("a second conference of an appointment, and the cancellation of an ongoing one", async () => {
      const made = await send({ id: "DUP", version: "2.3" });
      const again = await send({ id: "DUP", version: "2.3" });
      expect(again["ERR"]).to.deep.equal(["ERR", "SCH^1^2^205&Duplicate key identifier&HL70357"]);
      await forceStatus(database.db, Number(made["ZVC"]?.[1]), "ongoing");
      expect((await send({ id: "DUP", event: "S15" }))["MSA"]?.[1]).to.equal("AE");
    });

    it("a body that is not HL7 with 400, one that is too large with 413, and other media types with 415", async () => {
      const none = await hospital.send("Hello");
      expect([none.status, JSON.parse(none.text).code]).to.deep.equal([400, 10]);
      expect((await hospital.send("")).status).to.equal(400);
      expect((await hospital.send(Buffer.from("MSH|^~\\&|\0"))).status).to.equal(400);
      const large = `${aMessage()}\rNTE|${"x".repeat(300_000)}`;
      expect((await hospital.send(large)).status).to.equal(413);
      expect((await hospital.send(aMessage(), { type: "application/json" })).status).to.equal(415);
      const as = hospital.api.fixture.organizer;
      expect((await hospital.send(aMessage(), { as })).status).to.equal(403);
    });
  });

  it("stores messages sealed for 30 days, and shows them to authorized users", async () => {
    const { fixture, features, call } = hospital.api;
    const message = byClinician({ id: "KEPT", control: "KEPT1", event: "S99" });
    const { text: ack } = await hospital.send(message);
    const list = await call("GET /hl7/messages?limit=1", { as: fixture.admin });
    const [item] = list.body.data;
    expect(item).to.deep.equal({
      id: item.id,
      control_id: "KEPT1",
      sending_application: "EHR",
      sending_facility: "WARD",
      type: "SIU^S99",
      result: "AR",
      conference_id: null,
      created: "2026-11-20T10:00:00+00:00",
    });
    const one = await call(`GET /hl7/messages/${item.id}`, { as: fixture.admin });
    expect(one.body).to.deep.equal({ ...item, message, ack });
    const [row] = await database.db("hl7_messages").where({ id: item.id });
    expect(row.body_sealed.includes("Durand")).to.equal(false);
    features.clock.advance(30 * 86_400_000);
    expect(await hospital.hl7.clean()).to.equal(0);
    features.clock.advance(1);
    expect(await hospital.hl7.clean()).to.equal(list.body.total);
    expect((await call(`GET /hl7/messages/${item.id}`, { as: fixture.admin })).status).to.equal(
      404,
    );
  });
});
