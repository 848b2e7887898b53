import { expect } from "chai";
import { Webhook } from "standardwebhooks";
import { eventually } from "../support/eventually.ts";
import { useReceiver } from "../support/receiver.ts";
import { isSignedAtAnyTime, isSignedWith } from "../support/signatures.ts";

const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;

async function post(url: string, body: string, headers: Record<string, string> = {}) {
  return fetch(url, { method: "POST", body, headers: { connection: "close", ...headers } });
}

function signed(body: string, at: Date): Record<string, string> {
  return {
    "webhook-id": "evt_1",
    "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
    "webhook-signature": new Webhook(secret).sign("evt_1", at, body),
  };
}

describe("the test receiver", () => {
  const hook = useReceiver();

  it("records the original bytes and headers", async () => {
    await post(hook.receiver.url, '{"a": 1}', { "X-Mixed-Case": "Yes", "webhook-id": "evt_9" });
    await hook.receiver.sees(1);
    const [request] = hook.receiver.requests;
    expect(request?.text).to.equal('{"a": 1}');
    expect(request?.path).to.equal("/hook");
    expect(request?.headers["x-mixed-case"]).to.equal("Yes");
    expect(request?.rawHeaders.map((name) => name.toLowerCase())).to.include("x-mixed-case");
    expect(hook.receiver.ids()).to.deep.equal(["evt_9"]);
  });

  it("answers by its script and repeats the last reply", async () => {
    hook.receiver.answerWith([
      500,
      { status: 503, headers: { "retry-after": "7" }, body: "no" },
      200,
    ]);
    const answers = [];
    for (let i = 0; i < 4; i += 1) {
      answers.push(await post(hook.receiver.url, "{}"));
    }
    expect(answers.map((answer) => answer.status)).to.deep.equal([500, 503, 200, 200]);
    expect(answers[1]?.headers.get("retry-after")).to.equal("7");
    expect(await answers[1]?.text()).to.equal("no");
  });

  it("answers by a function of the request", async () => {
    hook.receiver.answerWith((request, call) => (request.text === "bad" ? 400 : 200 + call));
    expect((await post(hook.receiver.url, "good")).status).to.equal(201);
    expect((await post(hook.receiver.url, "bad")).status).to.equal(400);
  });

  it("resets, hangs and writes raw bytes on request", async () => {
    hook.receiver.answerWith([
      "reset",
      { raw: (socket) => socket.end("HTTP/1.1 299 Odd\r\nContent-Length: 0\r\n\r\n") },
      "hang",
    ]);
    const failed = await post(hook.receiver.url, "{}").catch(() => "failed");
    expect(failed).to.equal("failed");
    expect((await post(hook.receiver.url, "{}")).status).to.equal(299);
    const hanging = post(hook.receiver.url, "{}").then(
      () => "answered",
      () => "cut",
    );
    await hook.receiver.sees(3);
    expect(hook.receiver.openRequests).to.equal(1);
    await hook.receiver.close();
    expect(await hanging).to.equal("cut");
  });

  it("distinguishes signed from unsigned, and outdated from fresh", async () => {
    const now = new Date();
    const old = new Date(now.getTime() - 3_600_000);
    await post(hook.receiver.url, '{"a":1}', signed('{"a":1}', now));
    await post(hook.receiver.url, '{"a":2}', signed('{"a":1}', now));
    await post(hook.receiver.url, '{"a":3}', signed('{"a":3}', old));
    await hook.receiver.sees(3);
    const verdicts = hook.receiver.requests.map((request) => isSignedWith(secret, request));
    expect(verdicts).to.deep.equal([true, false, false]);
    const ageless = hook.receiver.requests.map((request) => isSignedAtAnyTime(secret, request));
    expect(ageless).to.deep.equal([true, false, true]);
    expect(hook.receiver.unsigned(secret)).to.have.length(2);
  });

  it("shows what arrived if the expected request did not", async () => {
    await post(hook.receiver.url, "{}", { "webhook-id": "evt_here" });
    const error = await hook.receiver.sees("evt_missing", { timeoutMs: 50 }).then(
      () => undefined,
      (thrown: unknown) => thrown as Error,
    );
    expect(error?.message).to.contain("evt_here");
  });
});

describe("eventually", () => {
  it("returns the value of the first successful call", async () => {
    let tries = 0;
    const value = await eventually(() => {
      tries += 1;
      if (tries < 3) {
        throw new Error("not yet");
      }
      return tries;
    });
    expect(value).to.equal(3);
  });

  it("throws the last failure after the time-out", async () => {
    const failed = eventually(() => false, { timeoutMs: 40 });
    const error = await failed.then(
      () => undefined,
      (thrown: unknown) => thrown as Error,
    );
    expect(error?.message).to.match(/^Not within \d+ ms/u);
  });
});
