import { expect } from "chai";
import { createHttpSendClient } from "../../../src/pipeline/delivery/send.ts";
import { createAuthorizedSend } from "../../../src/pipeline/delivery/oauth2-send.ts";
import type { SendRequest, SendResult } from "../../../src/pipeline/delivery/send-result.ts";
import type { TokenLookup } from "../../../src/pipeline/delivery/oauth2-tokens.ts";
import { eventually } from "../../support/eventually.ts";
import {
  anOAuth2Client,
  startOAuth2Server,
  type OAuth2Server,
} from "../../support/oauth2-server.ts";
import { useReceiver } from "../../support/receiver.ts";
import { answeredBy, aRequest, outcomeOf, useSendClient } from "../../support/send-clients.ts";

function tokenOf({ authorization }: { authorization: string }): string {
  return authorization.slice("Bearer ".length);
}

describe("a request with OAuth2, against a real authorisation server", () => {
  const { open, closing } = useSendClient(createHttpSendClient);

  const setUp = async (ttlSeconds?: number) => {
    const server: OAuth2Server = closing(await startOAuth2Server(ttlSeconds));
    const state = { nowMs: 0 };
    const client = open({ nowMs: () => state.nowMs });
    const request = (more: Partial<SendRequest> = {}) =>
      aRequest(server.receiverUrl, { oauth2: server.clientOf("basic"), ...more });
    return { server, state, client, request };
  };

  for (const authentication of ["basic", "form"] as const) {
    it(`sends a token that the receiver accepts, fetched with credentials in the ${authentication}`, async () => {
      const { server, client } = await setUp();
      const oauth2 = server.clientOf(authentication);
      const result = answeredBy(await client.send(aRequest(server.receiverUrl, { oauth2 })));
      expect(result.status).to.equal(200);
      expect(result).to.not.have.property("note");
      expect(server.received).to.have.length(1);
      expect(server.received[0]?.webhookId).to.equal("evt_1");
      expect(server.received[0]?.body).to.equal('{"a":1}');
      expect(await server.isLive(tokenOf(server.received[0]!))).to.equal(true);
    });
  }

  it("uses one token for many requests, and requests it once for concurrent ones", async () => {
    const { server, client, request } = await setUp();
    const one = request();
    const results = await Promise.all([1, 2, 3, 4].map(() => client.send(one)));
    expect(results.map(outcomeOf)).to.deep.equal([200, 200, 200, 200]);
    expect(server.tokenRequests).to.equal(1);
    expect(new Set(server.received.map(tokenOf)).size).to.equal(1);
  });

  it("gets a new token before the old one expires", async () => {
    const { server, state, client, request } = await setUp(60);
    const one = request();
    await client.send(one);
    state.nowMs = 47_000;
    await client.send(one);
    expect(server.tokenRequests).to.equal(1);
    state.nowMs = 48_000;
    expect(outcomeOf(await client.send(one))).to.equal(200);
    expect(server.tokenRequests).to.equal(2);
  });

  it("is sent again with a new token after a 401, as one attempt", async () => {
    const { server, client, request } = await setUp();
    const one = request();
    await client.send(one);
    await server.revoke(tokenOf(server.received[0]!));
    const result = answeredBy(await client.send(one));
    expect(result.status).to.equal(200);
    expect(result.note).to.equal("Sent twice: the receiver rejected the first token with 401");
    expect(server.received).to.have.length(3);
    expect(server.received[2]?.body).to.equal(server.received[1]?.body);
    expect(server.received[2]?.webhookId).to.equal(server.received[1]?.webhookId);
    expect(server.tokenRequests).to.equal(2);
  });

  it("does the same if a token expired earlier than announced", async () => {
    const { server, client, request } = await setUp(2); // rounded to whole seconds: 1 to 2
    const one = request();
    expect(outcomeOf(await client.send(one))).to.equal(200);
    const [first] = server.received;
    await eventually(async () => expect(await server.isLive(tokenOf(first!))).to.equal(false));
    expect(outcomeOf(await client.send(one))).to.equal(200);
    expect(server.tokenRequests).to.equal(2);
  });

  it("requests one new token for many requests with a revoked one", async () => {
    const { server, client, request } = await setUp();
    const one = request();
    await client.send(one);
    await server.revoke(tokenOf(server.received[0]!));
    const results = await Promise.all([1, 2, 3, 4].map(() => client.send(one)));
    expect(results.map(outcomeOf)).to.deep.equal([200, 200, 200, 200]);
    expect(server.tokenRequests).to.equal(2);
  });

  it("fails as oauth2 without sending if the secret is wrong", async () => {
    const { server, client } = await setUp();
    const oauth2 = { ...server.clientOf("basic"), clientSecret: "another s3cret" };
    const request = aRequest(server.receiverUrl, { oauth2 });
    const result = await client.send(request);
    expect(result).to.deep.include({
      kind: "failed",
      failure: "oauth2",
      detail: "No access token: the token server responded with 401 (invalid_client)",
    });
    await client.send(request);
    expect(server.tokenRequests, "a failure is kept for a while").to.equal(1);
    expect(server.received).to.have.length(0);
    expect(JSON.stringify(result)).to.not.include("s3cret");
  });

  it("uses a changed secret immediately, even after a failure", async () => {
    const { server, client } = await setUp();
    const valid = server.clientOf("basic");
    const oauth2 = { ...valid, clientSecret: "the old one" };
    expect(outcomeOf(await client.send(aRequest(server.receiverUrl, { oauth2 })))).to.equal(
      "oauth2",
    );
    const changed = aRequest(server.receiverUrl, { oauth2: valid });
    expect(outcomeOf(await client.send(changed))).to.equal(200);
  });

  it("fails as oauth2 if the scope is not allowed", async () => {
    const { server, client } = await setUp();
    const oauth2 = { ...server.clientOf("form"), scope: "administration" };
    const result = await client.send(aRequest(server.receiverUrl, { oauth2 }));
    expect(outcomeOf(result)).to.equal("oauth2");
    expect(result.kind === "failed" && result.detail).to.contain("400 (invalid_scope)");
  });
});

describe("a request with OAuth2", () => {
  const hook = useReceiver();
  const { open } = useSendClient(createHttpSendClient);
  const path = (request: { path: string }): string => request.path;

  const clientAt = (tokenUrl: string) => ({
    tokenUrl,
    clientId: "crm",
    clientSecret: "s3cret",
    scope: null,
    audience: "https://crm.test/",
    authentication: "form" as const,
  });
  const tokenUrl = (): string => `http://127.0.0.1:${hook.receiver.port}/token`;
  const request = () => aRequest(hook.receiver.url, { oauth2: clientAt(tokenUrl()) });
  const token = (access_token: string) => ({
    body: JSON.stringify({ access_token, token_type: "Bearer", expires_in: 60 }),
  });

  it("sends its audience", async () => {
    hook.receiver.answerWith([token("t0ken"), 200]);
    await open().send(request());
    expect(hook.receiver.requests.map(path)).to.deep.equal(["/token", "/hook"]);
    const form = new URLSearchParams(hook.receiver.requests[0]?.text);
    expect(form.get("audience")).to.equal("https://crm.test/");
    expect(hook.receiver.requests[1]?.headers.authorization).to.equal("Bearer t0ken");
  });

  it("never requests a token from a blocked address", async () => {
    for (const forbidden of ["http://169.254.169.254/token", "https://127.0.0.1:22/token"]) {
      const oauth2 = clientAt(forbidden);
      const result = await open().send(aRequest(hook.receiver.url, { oauth2 }));
      expect(result).to.deep.include({ failure: "oauth2" });
      expect(result.kind === "failed" && result.detail).to.match(
        /^No access token: token server: /u,
      );
      expect(result.kind === "failed" && result.detail).to.not.contain("169.254");
    }
    expect(hook.receiver.connections).to.equal(0);
  });

  it("does not follow a redirect of the token server", async () => {
    hook.receiver.answerWith([{ status: 307, headers: { location: hook.receiver.url } }, 200]);
    expect(outcomeOf(await open().send(request()))).to.equal("oauth2");
    expect(hook.receiver.requests.map(path)).to.deep.equal(["/token"]);
  });

  it("accepts a token longer than the kept part of other answers, within a limit", async () => {
    const long = "a".repeat(6_000);
    hook.receiver.answerWith([token(long), 200, { body: `{"x":"${"a".repeat(100_000)}"}` }]);
    expect(outcomeOf(await open().send(request()))).to.equal(200);
    expect(hook.receiver.requests[1]?.headers.authorization).to.equal(`Bearer ${long}`);
    const result = await open().send(request());
    expect(result.kind === "failed" && result.detail).to.match(/not JSON of at most 64 KB/u);
  });

  it("results in 401 after two requests if the new token is refused too", async () => {
    hook.receiver.answerWith([token("one"), 401, token("two"), 401, 200]);
    const result = answeredBy(await open().send(request()));
    expect(result.status).to.equal(401);
    expect(hook.receiver.requests.map(path)).to.deep.equal(["/token", "/hook", "/token", "/hook"]);
  });

  it("keeps the receiver's 401, with a note, if there is no new token", async () => {
    hook.receiver.answerWith([token("one"), { status: 401, body: "who?" }, 503]);
    const result = answeredBy(await open().send(request()));
    expect(result).to.include({ status: 401, body: "who?" });
    expect(result.note).to.equal(
      "The receiver rejected the token, and no new token could be obtained: the token server responded with 503",
    );
  });

  it("never reveals its token in the result, even if the receiver echoes it", async () => {
    const echo = { status: 500, headers: { "x-seen": "t0ken-no-2" }, body: '["t0ken-no-2"]' };
    hook.receiver.answerWith([token("t0ken-no-1"), 401, token("t0ken-no-2"), echo]);
    const result = answeredBy(await open().send(request()));
    expect(JSON.stringify(result)).to.not.match(/t0ken|s3cret/u);
    expect([result.body, result.headers["x-seen"]]).to.deep.equal(['["••••"]', "••••"]);
  });

  it("ends within its time-out if the token server hangs, with time left for the receiver", async () => {
    hook.receiver.answerWith(["hang"]);
    const result = await open({ timeoutMs: 3_000 }).send(request());
    expect(outcomeOf(result)).to.equal("oauth2");
    // Two thirds of the time-out are available for the token server.
    expect(result.durationMs).to.be.within(1_995, 2_900);
    expect(result.phases.token).to.be.within(1_995, 2_900);
  });

  it("ends as aborted if the client closes during the token request", async () => {
    hook.receiver.answerWith(["hang"]);
    const client = open();
    const sending = client.send(request());
    await hook.receiver.sees(1);
    client.close();
    expect(outcomeOf(await sending)).to.equal("aborted");
  });
});

describe("the time-out of a request with OAuth2", () => {
  const client = anOAuth2Client();

  it("covers token requests and both requests", async () => {
    const state = { nowMs: 0 };
    const input: (number | undefined)[] = [];
    const answers = [401, 200];
    const send = createAuthorizedSend({
      post: async (request): Promise<SendResult> => {
        input.push(request.timeoutMs);
        state.nowMs += 100;
        const status = answers.shift() ?? 500;
        const times = { durationMs: 100, phases: { firstByte: 90, total: 100 } };
        return { kind: "answered", status, headers: {}, body: "", ...times };
      },
      tokens: {
        get: async (): Promise<TokenLookup> => {
          state.nowMs += 300;
          return { kind: "token", token: "t0ken" };
        },
      },
      timeoutMs: 1_000,
      nowMs: () => state.nowMs,
    });
    const result = await send(aRequest("https://receiver.test/"), client);
    expect(input).to.deep.equal([700, 300]);
    expect(result.durationMs).to.equal(800);
    expect(result.phases).to.deep.equal({ token: 600, firstByte: 90, total: 800 });
  });

  it("keeps the receiver's 401 if no time is left for a new token", async () => {
    const state = { nowMs: 0 };
    let posts = 0;
    const send = createAuthorizedSend({
      post: async (): Promise<SendResult> => {
        posts += 1;
        return {
          kind: "answered",
          status: 401,
          headers: {},
          body: "",
          durationMs: 1,
          phases: { total: 1 },
        };
      },
      tokens: {
        get: async (): Promise<TokenLookup> => {
          state.nowMs += 600;
          return { kind: "token", token: "t0ken" };
        },
      },
      timeoutMs: 1_000,
      nowMs: () => state.nowMs,
    });
    const result = await send(aRequest("https://receiver.test/"), client);
    expect(posts).to.equal(1);
    expect(result).to.deep.include({
      status: 401,
      note: "The receiver rejected the token, and there was no time left to get a new one",
    });
  });
});
