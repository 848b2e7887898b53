import { expect } from "chai";
import { buildRequest, type OutgoingDelivery } from "../../../src/pipeline/delivery/request.ts";
import { isSignedAtAnyTime } from "../../support/signatures.ts";

const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const now = new Date("2026-11-20T10:00:00.900Z");

const aDelivery = (overrides: Partial<OutgoingDelivery> = {}): OutgoingDelivery => ({
  url: "https://receiver.test/hook",
  messageId: "evt_1",
  sequence: 42,
  attempt: 3,
  body: '{"event":"create","name":"Zoë"}',
  secrets: [secret],
  headers: [],
  ...overrides,
});

describe("a built request", () => {
  it("has exactly the platform's headers, in their order, then the subscription's own", () => {
    const { request } = buildRequest(
      aDelivery({ headers: [{ name: "X-Key", value: "s3cret" }] }),
      now,
    );
    const { "webhook-signature": signature, ...others } = request.headers;
    expect(Object.keys(request.headers)).to.deep.equal([
      "Content-Type",
      "User-Agent",
      "webhook-id",
      "webhook-timestamp",
      "webhook-signature",
      "webhook-sequence",
      "webhook-attempt",
      "X-Key",
    ]);
    expect(others).to.deep.equal({
      "Content-Type": "application/JSON",
      "User-Agent": "Sightline Cloud",
      "webhook-id": "evt_1",
      "webhook-timestamp": "1795168800",
      "webhook-sequence": "42",
      "webhook-attempt": "3",
      "X-Key": "s3cret",
    });
    expect(signature).to.match(/^v1,[A-Za-z0-9+/]{43}=$/u);
  });

  it("carries the stored bytes, and a signature of them that verifies", () => {
    const { request } = buildRequest(aDelivery(), now);
    expect(request.url).to.equal("https://receiver.test/hook");
    expect(request.body.toString("utf8")).to.equal(aDelivery().body);
    const signed = { headers: { ...request.headers }, text: request.body.toString("utf8") };
    expect(isSignedAtAnyTime(secret, signed)).to.equal(true);
    expect(isSignedAtAnyTime(secret, { ...signed, text: `${signed.text} ` })).to.equal(false);
  });

  it("keeps id and sequence over attempts, and signs each with its own time", () => {
    const first = buildRequest(aDelivery({ attempt: 1 }), now).request.headers;
    const later = new Date(now.getTime() + 5_000);
    const second = buildRequest(aDelivery({ attempt: 2 }), later).request.headers;
    expect(second["webhook-id"]).to.equal(first["webhook-id"]);
    expect(second["webhook-sequence"]).to.equal(first["webhook-sequence"]);
    expect(second["webhook-timestamp"]).to.equal("1795168805");
    expect(second["webhook-signature"]).to.not.equal(first["webhook-signature"]);
  });

  it("never lets a subscription's header replace ours or break the framing", () => {
    const names = [
      "content-type",
      "Content-Length",
      "USER-AGENT",
      "Webhook-Id",
      "webhook-signature",
      "webhook-anything",
      "Host",
      "Connection",
      "Transfer-Encoding",
      "TE",
      "Trailer",
      "Upgrade",
      "Expect",
      "Keep-Alive",
      "Proxy-Authorization",
      "__proto__",
    ];
    const headers = names.map((name) => ({ name, value: "evil" }));
    const built = buildRequest(aDelivery({ headers }), now);
    const without = buildRequest(aDelivery(), now);
    expect(built.request.headers).to.deep.equal(without.request.headers);
    expect(built.recordedHeaders).to.deep.equal(without.recordedHeaders);
  });

  it("is recorded with the subscription's values masked and ours as they were", () => {
    const { request, recordedHeaders } = buildRequest(
      aDelivery({ headers: [{ name: "X-Key", value: "s3cret" }] }),
      now,
    );
    expect(recordedHeaders).to.deep.equal({ ...request.headers, "X-Key": "••••" });
  });
});
