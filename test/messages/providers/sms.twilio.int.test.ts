import { expect } from "chai";
import { Problem } from "../../../src/contracts/problems.ts";
import type { CallbackRequest } from "../../../src/messages/providers/provider.ts";
import { createTwilioProvider } from "../../../src/messages/providers/sms.ts";
import { aMessage } from "../../support/messages.ts";
import { startReceiver, type Receiver, type Script } from "../../support/receiver.ts";
import { signTwilio, twilioAccount } from "../../support/sms-gateway.ts";

const baseUrl = "https://sightline.example";

describe("the Twilio REST API", () => {
  let api: Receiver;
  beforeEach(async () => {
    api = await startReceiver();
  });
  afterEach(async () => {
    await api.close();
  });

  const send = (script: Script, { message = aMessage(), from = twilioAccount.from } = {}) => {
    api.answerWith(script);
    const apiUrl = `http://127.0.0.1:${api.port}/`;
    const account = { ...twilioAccount, from, apiUrl, baseUrl, timeoutMs: 3_000 };
    return createTwilioProvider(account).send(message, new AbortController().signal);
  };

  it("receives a form with basic authentication and the callback URL", async () => {
    const message = aMessage({ text: "Où ? là & « ici »" });
    const result = await send([{ status: 201, body: '{"sid":"SM1","status":"queued"}' }], {
      message,
    });
    expect(result).to.deep.equal({ kind: "accepted", providerId: "SM1", status: "sent" });
    const [request] = api.requests;
    const { accountSid, authToken } = twilioAccount;
    expect(request?.method).to.equal("POST");
    expect(request?.path).to.equal(`/2010-04-01/Accounts/${accountSid}/Messages.json`);
    expect(request?.headers).to.include({
      authorization: `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString("base64")}`,
      "content-type": "application/x-www-form-urlencoded",
    });
    expect(Object.fromEntries(new URLSearchParams(request?.text))).to.deep.equal({
      To: "+33612345678",
      From: "+15005550006",
      Body: "Où ? là & « ici »",
      StatusCallback: `${baseUrl}/api/sms/status/twilio?id=${message.uid}`,
    });
  });

  it("sends through a messaging service, or with the enterprise's sender", async () => {
    const from = `MG${"0".repeat(32)}`;
    await send([201], { from });
    await send([201], { from, message: aMessage({ sender: "ACME" }) });
    const [byService, asEnterprise] = api.requests.map(({ text }) => new URLSearchParams(text));
    expect(byService?.get("MessagingServiceSid")).to.equal(from);
    expect(byService?.has("From")).to.equal(false);
    expect(asEnterprise?.get("From")).to.equal("ACME");
  });

  for (const [reply, error, isFinal] of [
    [{ status: 400, body: '{"code":21211}' }, "invalid_recipient", true],
    [{ status: 400, body: '{"code":21610}' }, "opted_out", true],
    [{ status: 400, body: '{"code":21606}' }, "twilio_21606", true],
    [{ status: 401, body: '{"code":20003}' }, "twilio_20003", false],
    [{ status: 429, body: '{"code":20429}' }, "twilio_20429", false],
    [{ status: 503, body: "busy" }, "http_503", false],
    [{ status: 404, body: "<html>" }, "http_404", true],
    ["hang", "timeout", false],
  ] as const) {
    it(`treats ${JSON.stringify(reply)} as ${isFinal ? "final" : "temporary"}`, async () => {
      expect(await send([reply])).to.deep.equal({ kind: "refused", error, isFinal });
      expect(api.requests).to.have.lengthOf(1);
    });
  }

  describe("its callbacks", () => {
    const { callbacks } = createTwilioProvider({
      ...twilioAccount,
      apiUrl: "http://127.0.0.1:9",
      baseUrl,
    });
    const { uid } = aMessage();
    const statusUrl = `${baseUrl}/api/sms/status/twilio?id=${uid}`;
    const call = (
      fields: Record<string, string>,
      { url = statusUrl, signature = signTwilio(twilioAccount.authToken, url, fields) } = {},
    ): CallbackRequest => ({
      url,
      query: { id: uid },
      body: Buffer.from(new URLSearchParams(fields).toString()),
      header: (name) => (name === "x-twilio-signature" ? signature : undefined),
    });
    const delivered = { MessageSid: "SM1", MessageStatus: "delivered", To: "+33612345678" };

    it("are verified as in the documented example of Twilio", () => {
      const fields = {
        CallSid: "CA1234567890ABCDE",
        Caller: "+12349013030",
        Digits: "1234",
        From: "+12349013030",
        To: "+18005551212",
      };
      const url = "https://mycompany.com/myapp.php?foo=1&bar=2";
      expect(signTwilio("12345", url, fields)).to.equal("0/KCTR6DLpKmkAf8muzZqo1nDgQ=");
    });

    for (const [word, status] of [
      ["queued", "sent"],
      ["sent", "sent"],
      ["delivered", "delivered"],
      ["read", "delivered"],
      ["undelivered", "undelivered"],
      ["failed", "failed"],
      ["canceled", "failed"],
    ] as const) {
      it(`map ${word} to ${status}`, () => {
        const fields = { MessageSid: "SM1", MessageStatus: word, ErrorCode: "30003" };
        const report = { uid, providerId: "SM1", status, error: "twilio_30003" };
        expect(callbacks?.parseStatus(call(fields))).to.deep.equal(report);
      });
    }

    it("are rejected for another URL, other fields, another token and without a signature", () => {
      const valid = signTwilio(twilioAccount.authToken, statusUrl, delivered);
      const bad = [
        call(delivered, { url: `${statusUrl}x`, signature: valid }),
        call({ ...delivered, MessageStatus: "failed" }, { signature: valid }),
        call(delivered, { signature: signTwilio("other", statusUrl, delivered) }),
        call(delivered, { signature: "" }),
      ];
      for (const request of bad) {
        expect(() => callbacks?.parseStatus(request))
          .to.throw(Problem)
          .with.property("kind", "forbidden");
      }
      expect(callbacks?.parseStatus(call(delivered))).to.have.property("status", "delivered");
    });

    it("contain the text of incoming SMS", () => {
      const url = `${baseUrl}/api/sms/incoming/twilio`;
      const fields = { From: "+33612345678", To: "+15005550006", Body: "Stop" };
      expect(callbacks?.parseIncoming(call(fields, { url }))).to.deep.equal({
        from: "+33612345678",
        text: "Stop",
      });
    });
  });
});
