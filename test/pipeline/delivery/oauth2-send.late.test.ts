import { expect } from "chai";
import { createAuthorizedSend } from "../../../src/pipeline/delivery/oauth2-send.ts";
import type { TokenLookup } from "../../../src/pipeline/delivery/oauth2-tokens.ts";
import type { SendResult } from "../../../src/pipeline/delivery/send-result.ts";
import { anOAuth2Client } from "../../support/oauth2-server.ts";
import { aRequest } from "../../support/send-clients.ts";

describe("a request with OAuth2 that starts or is answered late", () => {
  const client = anOAuth2Client();

  for (const { title, tokenMs, isOn, answers, expected } of [
    {
      title: "asks whether the webhook is on if the token took long",
      ...{ tokenMs: 501, isOn: [false], answers: [] as number[] },
      expected: { failure: "aborted", detail: "Not sent: the webhook was disabled meanwhile" },
    },
    {
      title: "asks again before it is sent with a new token",
      ...{ tokenMs: 300, isOn: [false], answers: [401] },
      expected: {
        status: 401,
        note: "The receiver rejected the token, and the webhook was disabled meanwhile",
      },
    },
    {
      title: "does not ask if the token came soon",
      ...{ tokenMs: 400, isOn: [] as boolean[], answers: [200] },
      expected: { status: 200 },
    },
  ]) {
    it(title, async () => {
      const state = { nowMs: 0 };
      const [left, asked] = [[...answers], [...isOn]];
      const send = createAuthorizedSend({
        post: async (): Promise<SendResult> => {
          const status = left.shift() ?? 599;
          const times = { durationMs: 1, phases: { total: 1 } };
          return { kind: "answered", status, headers: {}, body: "", ...times };
        },
        tokens: {
          get: async (): Promise<TokenLookup> => {
            state.nowMs += tokenMs;
            return { kind: "token", token: "t0ken" };
          },
        },
        timeoutMs: 5_000,
        nowMs: () => state.nowMs,
      });
      const isStillOn = async (): Promise<boolean> => asked.shift() ?? true;
      const result = await send({ ...aRequest("https://receiver.test/"), isStillOn }, client);
      expect(result).to.deep.include(expected);
      expect([left, asked]).to.deep.equal([[], []]);
    });
  }

  it("ends within its time, although the token server does not answer any more", async () => {
    const startedAt = performance.now();
    const timeoutMs = 40;
    const lookups: (TokenLookup | undefined)[] = [{ kind: "token", token: "t0ken" }];
    const send = createAuthorizedSend({
      post: async () => {
        const times = { durationMs: 1, phases: { total: 1 } };
        return { kind: "answered", status: 401, headers: {}, body: "", ...times };
      },
      tokens: {
        get: () => {
          const found = lookups.shift();
          return found === undefined ? new Promise(() => undefined) : Promise.resolve(found);
        },
      },
      timeoutMs,
      nowMs: () => performance.now() - startedAt,
    });
    expect(await send(aRequest("https://receiver.test/"), client)).to.deep.include({
      status: 401,
      note: "The receiver rejected the token, and no new token could be obtained: no time was left",
    });
    expect(await send(aRequest("https://receiver.test/"), client)).to.deep.include({
      failure: "oauth2",
      detail: "No access token: no time was left",
    });
  });

  it("does not reveal the start of its token at the end of an answer that was cut", async () => {
    const send = createAuthorizedSend({
      post: async () => {
        const times = { durationMs: 1, phases: { total: 1 } };
        const body = "authorization: Bearer t0ken-no-";
        return { kind: "answered", status: 500, headers: {}, body, ...times };
      },
      tokens: { get: async () => ({ kind: "token", token: "t0ken-no-1" }) },
      timeoutMs: 5_000,
      nowMs: () => 0,
    });
    expect(await send(aRequest("https://receiver.test/"), client)).to.include({
      body: "authorization: Bearer ••••",
    });
  });
});
