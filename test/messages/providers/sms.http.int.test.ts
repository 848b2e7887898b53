import { expect } from "chai";
import { Problem } from "../../../src/contracts/problems.ts";
import { createHttpProvider } from "../../../src/messages/providers/sms.ts";
import type { CallbackRequest } from "../../../src/messages/providers/provider.ts";
import { aMessage } from "../../support/messages.ts";
import { startReceiver, type Receiver, type Script } from "../../support/receiver.ts";
import { httpGateway, signHttp } from "../../support/sms-gateway.ts";

describe("the HTTP gateway for SMS", () => {
  let gateway: Receiver;
  beforeEach(async () => {
    gateway = await startReceiver();
  });
  afterEach(async () => {
    await gateway.close();
  });

  const send = (script: Script, message = aMessage(), timeoutMs = 5_000) => {
    gateway.answerWith(script);
    const provider = createHttpProvider({ ...httpGateway, url: gateway.url, timeoutMs });
    return provider.send(message, new AbortController().signal);
  };

  it("posts a JSON object with the bearer token and the idempotency key", async () => {
    const message = aMessage({ sender: "ACME" });
    const result = await send([{ status: 201, body: '{"id":"gw-7"}' }], message);
    expect(result).to.deep.equal({ kind: "accepted", providerId: "gw-7", status: "sent" });
    const [request] = gateway.requests;
    expect(gateway.requests).to.have.lengthOf(1);
    expect(request?.method).to.equal("POST");
    expect(request?.path).to.equal("/hook");
    expect(request?.headers).to.include({
      authorization: "Bearer gateway-token",
      "content-type": "application/json",
      "idempotency-key": message.uid,
    });
    expect(request?.json()).to.deep.equal({
      id: message.uid,
      to: "+33612345678",
      from: "ACME",
      text: "Hello",
    });
  });

  it("omits an empty sender, and falls back to the message's uid as the id", async () => {
    const message = aMessage();
    const result = await send([202], message);
    expect(gateway.requests[0]?.json()).to.have.all.keys("id", "to", "text");
    expect(result).to.include({ kind: "accepted", providerId: message.uid });
  });

  it("keeps every digit of a long number as the id, in responses and callbacks", async () => {
    const result = await send([{ status: 200, body: '{"messageId": 9007199254740993}' }]);
    expect(result).to.include({ kind: "accepted", providerId: "9007199254740993" });
    const text = '{"providerId":9007199254740993,"status":"sent"}';
    const signature = signHttp(httpGateway.secret, text);
    const provider = createHttpProvider({ ...httpGateway, url: gateway.url });
    const report = provider.callbacks?.parseStatus({
      ...{ url: "https://sightline.example/api/sms/status/http", query: {} },
      body: Buffer.from(text),
      header: () => signature,
    });
    expect(report).to.include({ providerId: "9007199254740993", status: "sent" });
  });

  for (const [reply, error, isFinal] of [
    [400, "http_400", true],
    [404, "http_404", true],
    [422, "http_422", true],
    [{ status: 302, headers: { location: "http://127.0.0.1:9/" } }, "http_302", true],
    [401, "http_401", false],
    [409, "http_409", false],
    [429, "http_429", false],
    [500, "http_500", false],
    [503, "http_503", false],
    ["reset", "unreachable", false],
    ["hang", "timeout", false],
  ] as const) {
    it(`treats ${JSON.stringify(reply)} as ${isFinal ? "final" : "temporary"}, with one request`, async () => {
      const result = await send([reply], aMessage(), reply === "hang" ? 1_500 : 5_000);
      expect(result).to.deep.equal({ kind: "refused", error, isFinal });
      expect(gateway.requests).to.have.lengthOf(1);
    });
  }

  it("reads a bounded part of the response", async () => {
    const body = `{"id":"${"x".repeat(5_000_000)}"}`;
    const result = await send([{ status: 200, body }]);
    expect(result).to.include({ kind: "accepted" });
    expect((result as { providerId: string }).providerId).to.have.lengthOf(36);
  });

  it("stops when the signal aborts", async () => {
    gateway.answerWith(["hang"]);
    const stop = new AbortController();
    const provider = createHttpProvider({ ...httpGateway, url: gateway.url });
    const sent = provider.send(aMessage(), stop.signal).catch((thrown: unknown) => thrown);
    await gateway.sees(1);
    stop.abort();
    expect(await sent).to.be.instanceOf(Error);
  });

  describe("its callbacks", () => {
    const { callbacks } = createHttpProvider({ ...httpGateway, url: "http://127.0.0.1:9/" });
    const request = (body: string, signature?: string): CallbackRequest => ({
      url: "https://sightline.example/api/sms/status/http",
      query: {},
      body: Buffer.from(body),
      header: (name) => (name === "x-signature" ? signature : undefined),
    });
    const signed = (object: object): CallbackRequest => {
      const body = JSON.stringify(object);
      return request(body, signHttp(httpGateway.secret, body));
    };
    const kindOf = (work: () => unknown): string => {
      try {
        work();
        return "none";
      } catch (thrown) {
        return thrown instanceof Problem ? thrown.kind : String(thrown);
      }
    };

    it("are accepted with a valid signature, with our uid or the gateway's id", () => {
      const { uid } = aMessage();
      const byKey = callbacks?.parseStatus(signed({ id: uid, status: "delivered" }));
      expect(byKey).to.deep.equal({ uid, providerId: uid, status: "delivered", error: null });
      const byTheirs = signed({ providerId: "gw-7", status: "failed", error: "absent" });
      expect(callbacks?.parseStatus(byTheirs)).to.deep.equal({
        uid: undefined,
        providerId: "gw-7",
        status: "failed",
        error: "absent",
      });
      const incoming = callbacks?.parseIncoming(signed({ from: "+33612345678", text: "STOP" }));
      expect(incoming).to.deep.equal({ from: "+33612345678", text: "STOP" });
    });

    it("are rejected if the signature is missing, or of another secret or body", () => {
      const body = JSON.stringify({ providerId: "gw-7", status: "delivered" });
      const valid = signHttp(httpGateway.secret, body);
      for (const [text, signature] of [
        [body, undefined],
        [body, ""],
        [body, signHttp("other", body)],
        [`${body} `, valid],
        [body, valid.slice(2)],
      ] as const) {
        expect(kindOf(() => callbacks?.parseStatus(request(text, signature)))).to.equal(
          "forbidden",
        );
      }
      expect(kindOf(() => callbacks?.parseStatus(request(body, `sha256=${valid}`)))).to.equal(
        "none",
      );
    });

    it("are rejected without an id, and with an unknown status", () => {
      expect(kindOf(() => callbacks?.parseStatus(signed({ status: "sent" })))).to.equal(
        "missing_parameter",
      );
      expect(kindOf(() => callbacks?.parseStatus(signed({ id: "x", status: "queued" })))).to.equal(
        "invalid_parameter",
      );
      expect(kindOf(() => callbacks?.parseIncoming(signed({ text: "STOP" })))).to.equal(
        "missing_parameter",
      );
    });

    it("are rejected if no secret is configured", () => {
      const open = createHttpProvider({
        url: "http://127.0.0.1:9/",
        token: "x",
        secret: undefined,
      });
      expect(open.callbacks).to.equal(undefined);
    });
  });
});
