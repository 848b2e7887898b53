import { expect } from "chai";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { useDatabase } from "../support/database.ts";
import { aMessage, segmentsOf, useHl7Api, type Sample } from "../support/hl7.ts";

const phone = "+33612345678";

describe("HL7 appointments whose invitations cannot be sent", () => {
  const database = useDatabase();
  const hospital = useHl7Api(database);

  afterEach("allow SMS again", async () => {
    const { enterpriseId } = hospital.api.fixture;
    await rowsOf(database.db, "DELETE FROM opt_outs WHERE enterprise_id = ?", [enterpriseId]);
    await limitSms(500);
  });

  const optOut = () =>
    rowsOf(database.db, "INSERT INTO opt_outs (enterprise_id, phone) VALUES (?, ?)", [
      hospital.api.fixture.enterpriseId,
      phone,
    ]);
  const limitSms = (perDay: number) =>
    rowsOf(database.db, "UPDATE enterprises SET max_sms_per_day = ? WHERE id = ?", [
      perDay,
      hospital.api.fixture.enterpriseId,
    ]);
  const send = async (sample: Sample) => {
    const clinician = hospital.api.fixture.moderator.login;
    const { text } = await hospital.send(aMessage({ clinician, ...sample }));
    const { MSA, ERR, ZVC } = segmentsOf(text);
    expect([MSA?.[1], ERR]).to.deep.equal(["AA", undefined]);
    return Number(ZVC?.[1]);
  };
  const startOf = async (id: number): Promise<string> => {
    const { admin } = hospital.api.fixture;
    return (await hospital.api.call(`GET /conferences/${id}`, { as: admin })).body.start_time;
  };
  const messagesOf = async (id: number) => {
    const rows = await rowsOf<{ recipient: string; status: string; error: string | null }>(
      database.db,
      "SELECT recipient, status, error FROM messages WHERE conference_id = ? ORDER BY id",
      [id],
    );
    return rows.map(({ recipient, status, error }) => [recipient, status, error]);
  };

  it("are moved after the patient opted out, and the SMS is stored as failed", async () => {
    const id = await send({ id: "STOP1", contact: phone });
    await optOut();
    const start = "20261202093000+0000";
    expect(await send({ id: "STOP1", event: "S13", contact: phone, start })).to.equal(id);
    expect(await startOf(id)).to.equal("2026-12-02T09:30:00+00:00");
    expect(await messagesOf(id)).to.deep.equal([
      [phone, "queued", null],
      [phone, "failed", "opted_out"],
    ]);
  });

  it("are created for a patient who opted out", async () => {
    await optOut();
    const id = await send({ id: "STOP2", contact: phone });
    await send({ id: "STOP2", event: "S14", contact: phone });
    expect(await messagesOf(id), "once").to.deep.equal([[phone, "failed", "opted_out"]]);
    await rowsOf(database.db, "DELETE FROM opt_outs WHERE phone = ?", [phone]);
    await send({ id: "STOP2", event: "S14", contact: phone });
    expect((await messagesOf(id)).at(-1), "opted in again").to.deep.equal([phone, "queued", null]);
  });

  it("are created and moved when the SMS quota is used up, and emails are sent", async () => {
    await limitSms(0);
    const id = await send({ id: "QUOTA" });
    await send({ id: "QUOTA", event: "S13", start: "20261202093000+0000" });
    expect(await startOf(id)).to.equal("2026-12-02T09:30:00+00:00");
    const expected = [
      ["anna@patients.test", "queued", null],
      [phone, "failed", "quota_reached"],
    ];
    expect(await messagesOf(id)).to.deep.equal([...expected, ...expected]);
  });
});
