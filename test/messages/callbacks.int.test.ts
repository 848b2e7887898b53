import { expect } from "chai";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { createPhoneHash } from "../../src/platform/phone-hash.ts";
import { useDatabase } from "../support/database.ts";
import { devOnly, smsEventsAbout, useMessageApi, useMessaging } from "../support/messages.ts";
import { testBaseUrl } from "../support/api.ts";
import { testKey } from "../support/secret-box.ts";
import { httpGateway, signHttp, signTwilio, twilioAccount } from "../support/sms-gateway.ts";

describe("callbacks of SMS providers", () => {
  const database = useDatabase();
  const nowhere = "http://127.0.0.1:9";
  const harness = useMessaging(database, () => ({
    providers: {
      ...devOnly,
      sms: {
        provider: "http",
        http: { ...httpGateway, url: nowhere },
        twilio: { ...twilioAccount, apiUrl: nowhere },
      },
    },
  }));
  const call = useMessageApi(database, harness);

  const report = (json: object, secret = httpGateway.secret) => {
    const headers = { "x-signature": signHttp(secret, JSON.stringify(json)) };
    return call("POST /sms/status/http", { json, headers });
  };

  const write = (path: string, json: object) =>
    call(`POST ${path}`, {
      json,
      headers: { "x-signature": signHttp(httpGateway.secret, JSON.stringify(json)) },
    });

  /** An SMS that a gateway has accepted. */
  const aSentSms = async (providerId: string, provider = "http"): Promise<number> => {
    const [id = 0] = await harness.queue({});
    await rowsOf(
      database.db,
      "UPDATE messages SET status = 'sent', provider = ?, provider_id = ?, sent_at = now() WHERE id = ?",
      [provider, providerId, id],
    );
    return id;
  };

  it("advance the status of a message, with one event per step", async () => {
    const id = await aSentSms("gw-10");
    const answer = await report({ providerId: "gw-10", status: "delivered" });
    expect(answer.status).to.equal(204);
    expect(answer.text).to.equal("");
    expect((await harness.find(id)).status).to.equal("delivered");
    expect((await report({ providerId: "gw-10", status: "delivered" })).status).to.equal(204);
    expect(await smsEventsAbout(database.db, id)).to.deep.equal([
      `smsmessage create ${id} {}`,
      `smsmessage update ${id} {}`,
    ]);
  });

  it("never move a status back, in any order", async () => {
    const id = await aSentSms("gw-11");
    await report({ providerId: "gw-11", status: "undelivered", error: "absent" });
    await report({ providerId: "gw-11", status: "sent" });
    await report({ providerId: "gw-11", status: "delivered" });
    const { status, error } = await harness.find(id);
    expect({ status, error }).to.deep.equal({ status: "undelivered", error: "absent" });
    expect(await smsEventsAbout(database.db, id)).to.have.lengthOf(2);
  });

  it("create one event under concurrency", async () => {
    const id = await aSentSms("gw-12");
    const json = { providerId: "gw-12", status: "delivered" };
    await Promise.all(Array.from({ length: 6 }, () => report(json)));
    expect(await smsEventsAbout(database.db, id)).to.have.lengthOf(2);
  });

  it("settle a message before the worker has stored it as sent", async () => {
    const [id = 0] = await harness.queue({});
    const { uid } = await harness.find(id);
    expect((await report({ id: uid, status: "sent" })).status).to.equal(204);
    const { status, provider } = await harness.find(id);
    expect({ status, provider }).to.deep.equal({ status: "sent", provider: "http" });
    expect(await harness.send(id)).to.deep.equal({ kind: "done" });
    expect((await harness.find(id)).attempts).to.equal(0);
  });

  it("clear the text of a private message before the worker has stored it as sent", async () => {
    const [id = 0] = await harness.queue({ text: "secret", isPrivate: true });
    const { uid } = await harness.find(id);
    await report({ id: uid, status: "sent" });
    expect(await harness.find(id)).to.include({ status: "sent", text: "" });
  });

  it("clear the refusal of an attempt that the gateway has sent nevertheless", async () => {
    for (const status of ["sent", "delivered"]) {
      const [id = 0] = await harness.queue({});
      const { uid } = await harness.find(id);
      await rowsOf(database.db, "UPDATE messages SET error = 'http_503' WHERE id = ?", [id]);
      expect((await report({ id: uid, status })).status).to.equal(204);
      expect(await harness.find(id)).to.include({ status, error: null });
    }
  });

  it("are rejected with a wrong signature, and answered 404 for unknown messages", async () => {
    const id = await aSentSms("gw-13");
    const json = { providerId: "gw-13", status: "delivered" };
    const forged = await report(json, "other");
    expect([forged.status, forged.body.code]).to.deep.equal([403, 6]);
    expect((await call("POST /sms/status/http", { json })).status).to.equal(403);
    expect((await harness.find(id)).status).to.equal("sent");
    expect((await report({ ...json, providerId: "nobody" })).status).to.equal(404);
    expect((await report({ ...json, status: "gone" })).body).to.include({ code: 10 });
    expect((await call("POST /sms/status/other", { json })).status).to.be.oneOf([400, 404]);
  });

  it("do not affect messages of another provider", async () => {
    const id = await aSentSms("shared-id", "twilio");
    expect((await report({ providerId: "shared-id", status: "failed" })).status).to.equal(404);
    expect((await harness.find(id)).status).to.equal("sent");
  });

  it("are accepted from Twilio, signed over the public URL and the fields", async () => {
    const id = await aSentSms("SM20", "twilio");
    const { uid } = await harness.find(id);
    const path = `/sms/status/twilio?id=${uid}`;
    const form = { MessageSid: "SM20", MessageStatus: "undelivered", ErrorCode: "30005" };
    const signature = signTwilio(twilioAccount.authToken, `${testBaseUrl}/api${path}`, form);
    const bad = await call(`POST ${path}`, { form, headers: { "x-twilio-signature": "AAAA" } });
    expect(bad.status).to.equal(403);
    const valid = await call(`POST ${path}`, {
      form,
      headers: { "x-twilio-signature": signature },
    });
    expect(valid.status).to.equal(204);
    const { status, error } = await harness.find(id);
    expect({ status, error }).to.deep.equal({ status: "undelivered", error: "twilio_30005" });
  });

  it("add an opt-out that Twilio reports about a message", async () => {
    const id = await aSentSms("SM21", "twilio");
    const { uid, recipient } = await harness.find(id);
    const path = `/sms/status/twilio?id=${uid}`;
    const form = { MessageSid: "SM21", MessageStatus: "failed", ErrorCode: "21610" };
    const signature = signTwilio(twilioAccount.authToken, `${testBaseUrl}/api${path}`, form);
    await call(`POST ${path}`, { form, headers: { "x-twilio-signature": signature } });
    expect(await harness.find(id)).to.include({ status: "failed", error: "opted_out" });
    const [later = 0] = await harness.queue({ recipient });
    expect(await harness.find(later)).to.include({ status: "failed", error: "opted_out" });
  });

  it("add an opt-out on STOP and remove it on START", async () => {
    const recipient = "+33612345690";
    await harness.queue({ recipient });
    for (const text of ["hello", " Stop. "]) {
      expect((await write("/sms/incoming/http", { from: recipient, text })).status).to.equal(204);
    }
    const [refused = 0] = await harness.queue({ recipient });
    expect((await harness.find(refused)).error).to.equal("opted_out");
    await write("/sms/incoming/http", { from: recipient, text: "START" });
    const [fine = 0] = await harness.queue({ recipient });
    expect((await harness.find(fine)).status).to.equal("queued");
  });

  it("add an opt-out on STOP even if all tickets of the number were purged", async () => {
    const recipient = "+33612345692";
    await database.db("purged_recipients").insert({
      enterprise_id: harness.fixture.enterpriseId,
      phone_hash: createPhoneHash(testKey)(recipient),
    });
    await write("/sms/incoming/http", { from: recipient, text: "STOP" });
    const [refused = 0] = await harness.queue({ recipient });
    expect((await harness.find(refused)).error).to.equal("opted_out");
    await write("/sms/incoming/http", { from: recipient, text: "START" });
    const [fine = 0] = await harness.queue({ recipient });
    expect((await harness.find(fine)).status).to.equal("queued");
  });

  it("add no opt-out for an enterprise that never wrote to the number, and need a signature", async () => {
    const recipient = "+33612345691";
    await write("/sms/incoming/http", { from: recipient, text: "STOP" });
    const [id = 0] = await harness.queue({ recipient });
    expect((await harness.find(id)).status).to.equal("queued");
    const json = { from: recipient, text: "STOP" };
    expect((await call("POST /sms/incoming/http", { json })).status).to.equal(403);
    const [later = 0] = await harness.queue({ recipient });
    expect((await harness.find(later)).status).to.equal("queued");
  });
});
