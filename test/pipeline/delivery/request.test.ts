import { expect } from "chai";
import { buildRequest, type OutgoingDelivery } from "../../../src/pipeline/delivery/request.ts";
import type { AuthOptions } from "../../../src/pipeline/ledger/endpoints.ts";
import { isSignedAtAnyTime } from "../../support/signatures.ts";

const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const now = new Date("2026-11-20T10:00:00.900Z");

function aDelivery(overrides: Partial<OutgoingDelivery> = {}): OutgoingDelivery {
  return {
    url: "https://receiver.test/hook",
    eventId: "evt_1",
    sequence: 42,
    attempt: 3,
    body: '{"event":"create","name":"Zoë"}',
    secrets: [secret],
    headers: [],
    ...overrides,
  };
}

describe("a built request", () => {
  it("has exactly the platform's headers in order, then the custom ones", () => {
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

  it("contains the stored bytes, and a valid signature", () => {
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

  it("never lets a custom header replace ours or break the framing", () => {
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
      "Cookie",
      "Forwarded",
      "X-Forwarded-For",
      "X-Real-IP",
      "Content_Length",
      "__proto__",
    ];
    const headers = names.map((name) => ({ name, value: "evil" }));
    const built = buildRequest(aDelivery({ headers }), now);
    const without = buildRequest(aDelivery(), now);
    expect(built.request.headers).to.deep.equal(without.request.headers);
    expect(built.recordedHeaders).to.deep.equal(without.recordedHeaders);
  });

  it("is recorded with custom header values masked and ours in clear", () => {
    const { request, recordedHeaders } = buildRequest(
      aDelivery({ headers: [{ name: "X-Key", value: "s3cret" }] }),
      now,
    );
    expect(recordedHeaders).to.deep.equal({ ...request.headers, "X-Key": "••••" });
  });

  it("marks replays and tests, and nothing else", () => {
    const marks = ({ headers }: { headers: Readonly<Record<string, string>> }) => [
      headers["webhook-replay"],
      headers["webhook-test"],
    ];
    expect(marks(buildRequest(aDelivery({ isReplay: true }), now).request)).to.deep.equal([
      "true",
      undefined,
    ]);
    expect(marks(buildRequest(aDelivery({ isTest: true }), now).request)).to.deep.equal([
      undefined,
      "true",
    ]);
    const plain = buildRequest(aDelivery({ isReplay: false }), now).request.headers;
    expect(plain).to.not.have.any.keys("webhook-replay", "webhook-test");
  });
});

describe("a built request with additional options", () => {
  const older = `whsec_${Buffer.alloc(32, 8).toString("base64")}`;
  const seed = (byte: number): string => `whsk_${Buffer.alloc(32, byte).toString("base64")}`;
  const keys = [
    { privateKey: seed(1), publicKey: "whpk_", until: null },
    { privateKey: seed(2), publicKey: "whpk_", until: "2026-11-20T10:00:01Z" },
    { privateKey: seed(3), publicKey: "whpk_", until: "2026-11-20T09:59:59Z" },
  ];
  const client = {
    tokenUrl: "https://login.test/token",
    clientId: "id",
    clientSecret: "client s3cret",
    scope: null,
    audience: null,
    authentication: "basic",
  } as const;
  const someExtras = (more: Partial<AuthOptions> = {}): AuthOptions => ({
    hasV1: true,
    keys: [],
    presets: [],
    oauth2: null,
    certificate: null,
    ...more,
  });
  const built = (more: Partial<AuthOptions>, headers: OutgoingDelivery["headers"] = []) =>
    buildRequest(
      aDelivery({ secrets: [secret, older], headers, authOptions: someExtras(more) }),
      now,
    );

  const versionsOf = (signature = ""): string[] =>
    signature.split(" ").map((one) => one.split(",")[0] ?? "");

  it("is signed with every valid secret and key", () => {
    const { headers } = built({ keys }).request;
    expect(versionsOf(headers["webhook-signature"])).to.deep.equal(["v1", "v1", "v1a", "v1a"]);
  });

  it("has no v1 signature if it is turned off", () => {
    const { headers } = built({ hasV1: false, keys }).request;
    expect(versionsOf(headers["webhook-signature"])).to.deep.equal(["v1a", "v1a"]);
  });

  it("has the same v1 signatures as without options", () => {
    const plain = buildRequest(aDelivery({ secrets: [secret, older] }), now).request.headers;
    const { headers } = built({ presets: ["github", "stripe"] }).request;
    const { "X-Hub-Signature-256": github, "Stripe-Signature": stripe, ...others } = headers;
    expect(others).to.deep.equal(plain);
    expect(github).to.match(/^sha256=[0-9a-f]{64}$/u);
    expect(stripe).to.match(/^t=1795168800,v1=[0-9a-f]{64},v1=[0-9a-f]{64}$/u);
  });

  it("has GitHub's signature with the newest secret only", () => {
    const only = buildRequest(aDelivery({ authOptions: someExtras({ presets: ["github"] }) }), now);
    const name = "X-Hub-Signature-256";
    expect(built({ presets: ["github"] }).request.headers[name]).to.equal(
      only.request.headers[name],
    );
  });

  it("reserves the header names of enabled presets, in any spelling", () => {
    const own = [
      { name: "x-hub-signature-256", value: "evil" },
      { name: "STRIPE-SIGNATURE", value: "mine" },
    ];
    const { headers } = built({ presets: ["github"] }, own).request;
    expect(headers).to.not.have.property("x-hub-signature-256");
    expect(headers["STRIPE-SIGNATURE"]).to.equal("mine");
  });

  it("contains the connection options, and records none of them", () => {
    const certificate = { certificate: "PEM c3rt", key: "PEM k3y", ca: null };
    const headers = [{ name: "authorization", value: "Basic bWU6" }];
    const { request, recordedHeaders } = built({ oauth2: client, certificate }, headers);
    expect(request.oauth2).to.equal(client);
    expect(request.certificate).to.equal(certificate);
    expect(request.headers).to.not.have.any.keys("authorization", "Authorization");
    expect(recordedHeaders["Authorization"]).to.equal("••••");
    expect(JSON.stringify(recordedHeaders)).to.not.match(/s3cret|k3y|bWU6/u);
  });
});
