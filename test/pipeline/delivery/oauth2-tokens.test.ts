import { expect } from "chai";
import type { SendResult } from "../../../src/pipeline/delivery/send-result.ts";
import { createAccessTokens } from "../../../src/pipeline/delivery/oauth2-tokens.ts";
import { anOAuth2Client } from "../../support/oauth2-server.ts";

function answered(status: number, body: object): SendResult {
  return {
    kind: "answered",
    status,
    headers: {},
    body: JSON.stringify(body),
    durationMs: 1,
    phases: { total: 1 },
  };
}

function failed(failure: "refused" | "aborted"): SendResult {
  return {
    kind: "failed",
    failure,
    detail: "The connection was refused",
    durationMs: 1,
    phases: { total: 1 },
  };
}

/** A token server that counts requests, and a stopped clock. */
function setUp(expiresIn = 100) {
  const state = { asked: 0, nowMs: 0, answer: undefined as SendResult | undefined };
  const tokens = createAccessTokens({
    post: async () => {
      state.asked += 1;
      const access_token = `token${state.asked}`;
      const input = { access_token, token_type: "Bearer", expires_in: expiresIn };
      return state.answer ?? answered(200, input);
    },
    timeoutMs: 1_000,
    nowMs: () => state.nowMs,
  });
  return { state, tokens };
}

describe("OAuth2 tokens", () => {
  it("are requested once, however many deliveries wait", async () => {
    const { state, tokens } = setUp();
    const client = anOAuth2Client();
    const together = await Promise.all([1, 2, 3].map(() => tokens.get(client)));
    const token = { kind: "token", token: "token1" };
    expect(together).to.deep.equal([token, token, token]);
    expect(await tokens.get(client)).to.deep.equal({ kind: "token", token: "token1" });
    expect(state.asked).to.equal(1);
  });

  it("are renewed shortly before they expire", async () => {
    const { state, tokens } = setUp(100);
    const client = anOAuth2Client();
    await tokens.get(client);
    state.nowMs = 79_999;
    expect(await tokens.get(client)).to.deep.equal({ kind: "token", token: "token1" });
    state.nowMs = 80_000;
    expect(await tokens.get(client)).to.deep.equal({ kind: "token", token: "token2" });
  });

  it("are not cached with a lifetime of zero", async () => {
    const { tokens } = setUp(0);
    const client = anOAuth2Client();
    await tokens.get(client);
    expect(await tokens.get(client)).to.deep.equal({ kind: "token", token: "token2" });
  });

  it("are dropped when the receiver refuses them, once for all deliveries", async () => {
    const { state, tokens } = setUp();
    const client = anOAuth2Client();
    await tokens.get(client);
    const refused = await Promise.all([tokens.get(client, "token1"), tokens.get(client, "token1")]);
    const token = { kind: "token", token: "token2" };
    expect(refused).to.deep.equal([token, token]);
    // A refusal of the old token that arrives late.
    expect(await tokens.get(client, "token1")).to.deep.equal({ kind: "token", token: "token2" });
    expect(state.asked).to.equal(2);
  });

  it("are cached per client object, so a changed client gets a new one", async () => {
    const { state, tokens } = setUp();
    await tokens.get(anOAuth2Client());
    await tokens.get(anOAuth2Client());
    expect(state.asked).to.equal(2);
  });

  it("are not requested again for ten seconds after a failure", async () => {
    const { state, tokens } = setUp();
    const client = anOAuth2Client();
    state.answer = failed("refused");
    const reason = "token server: The connection was refused";
    expect(await tokens.get(client)).to.deep.equal({ kind: "none", reason });
    state.answer = undefined;
    state.nowMs = 9_999;
    expect(await tokens.get(client)).to.deep.equal({ kind: "none", reason });
    expect(state.asked).to.equal(1);
    state.nowMs = 10_000;
    expect(await tokens.get(client)).to.deep.equal({ kind: "token", token: "token2" });
  });

  it("are requested again immediately after we aborted the request", async () => {
    const { state, tokens } = setUp();
    const client = anOAuth2Client();
    state.answer = failed("aborted");
    expect(await tokens.get(client)).to.deep.equal({ kind: "aborted" });
    state.answer = undefined;
    expect(await tokens.get(client)).to.deep.equal({ kind: "token", token: "token2" });
  });

  it("reject with a fault of this process, and are requested again", async () => {
    let isBroken = true;
    const tokens = createAccessTokens({
      post: async () => {
        if (isBroken) {
          throw Object.assign(new Error("EMFILE"), { code: "EMFILE" });
        }
        return answered(200, { access_token: "fine", token_type: "Bearer", expires_in: 9 });
      },
      timeoutMs: 1_000,
      nowMs: () => 0,
    });
    const client = anOAuth2Client();
    expect(await tokens.get(client).catch((error: Error) => error.message)).to.equal("EMFILE");
    isBroken = false;
    expect(await tokens.get(client)).to.deep.equal({ kind: "token", token: "fine" });
  });
});
