import { expect } from "chai";
import { useDatabase } from "../support/database.ts";
import { aMessage, segmentsOf, useHl7Api, type Sample } from "../support/hl7.ts";
import { undecryptable } from "../support/secret-box.ts";

describe("a stored HL7 message that cannot be decrypted", () => {
  const database = useDatabase();
  const hospital = useHl7Api(database);

  const byClinician = (sample: Sample): string =>
    aMessage({ clinician: hospital.api.fixture.moderator.login, ...sample });
  const count = async (key: string): Promise<number> =>
    (await database.db("conferences").where({ external_key: `WARD ${key}` })).length;
  const forget = (control: string) =>
    database
      .db("hl7_messages")
      .where({ control_id: control })
      .update({ body_sealed: undecryptable, ack_sealed: undecryptable });

  it("is shown without its texts", async () => {
    await hospital.send(byClinician({ id: "LOST", control: "LOST1" }));
    await forget("LOST1");
    const { fixture, call } = hospital.api;
    const [item] = (await call("GET /hl7/messages?limit=1", { as: fixture.admin })).body.data;
    expect(item.control_id).to.equal("LOST1");
    const { status, body } = await call(`GET /hl7/messages/${item.id}`, { as: fixture.admin });
    expect(status).to.equal(200);
    expect(body).to.deep.equal({ ...item, message: null, ack: null });
  });

  it("is acknowledged again with the same result, and not applied again", async () => {
    const samples = [
      { sample: { id: "LOST2", control: "LOST2" }, result: "AA" },
      { sample: { id: "LOST3", control: "LOST3", clinician: "nobody" }, result: "AE" },
      { sample: { id: "LOST4", control: "LOST4", event: "S99" }, result: "AR" },
    ];
    for (const { sample, result } of samples) {
      const message = byClinician(sample);
      expect(segmentsOf((await hospital.send(message)).text)["MSA"]?.[1]).to.equal(result);
      await forget(sample.control);
      const { status, text } = await hospital.send(message);
      const { MSA, ERR, ZVC } = segmentsOf(text);
      expect([status, MSA?.slice(1, 3)]).to.deep.equal([200, [result, sample.control]]);
      expect([ERR === undefined, ZVC]).to.deep.equal([result === "AA", undefined]);
    }
    expect(await count("LOST2")).to.equal(1);
  });
});
