import { expect } from "chai";
import { useDatabase } from "../support/database.ts";
import { agreed, useGuests } from "../support/guests.ts";

describe("the ICE servers for the check before a call", () => {
  const database = useDatabase();
  const harness = useGuests(database);

  it("are returned to a customer who accepted the terms, with credentials for an hour", async () => {
    const { secret } = await harness.invite();
    const { get, post } = await harness.enter(secret);
    expect((await get("ice")).status).to.equal(409);
    await post("consent", agreed);
    const { status, body } = await get("ice");
    expect(status).to.equal(200);
    const [stun, turn] = body.servers;
    expect(stun).to.deep.equal({ urls: ["stun:turn.example.com:3478"] });
    expect(turn.urls).to.deep.equal(["turn:turn.example.com:3478?transport=udp"]);
    expect(turn.username).to.match(/^\d+:requestor$/u);
    expect(turn.credential).to.match(/^[\w+/]{27}=$/u);
    expect(body).to.include({ policy: "all", expires_in: 3_600 });
  });

  it("are no longer returned once the ticket is closed", async () => {
    const { id, secret } = await harness.invite();
    const { get, post } = await harness.enter(secret);
    await post("consent", agreed);
    expect((await get("ice")).status).to.equal(200);
    await database.db("tickets").where({ id }).update({ state: "closed" });
    expect((await get("ice")).status).to.equal(410);
  });
});
