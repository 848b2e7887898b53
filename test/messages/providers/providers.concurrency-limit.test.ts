import { setImmediate as tick } from "node:timers/promises";
import { expect } from "chai";
import { accepted, type MessageProvider } from "../../../src/messages/providers/provider.ts";
import { withConcurrencyLimit } from "../../../src/messages/providers/providers.ts";
import { aMessage } from "../../support/messages.ts";

/** A provider whose requests the test resolves, by `answers`. */
function aSlowProvider(maxWaitMs: number) {
  const asked: string[] = [];
  const answers: (() => void)[] = [];
  const slow: MessageProvider = {
    name: "http",
    send: ({ uid }) => {
      asked.push(uid);
      return new Promise((resolve) => answers.push(() => resolve(accepted(uid))));
    },
  };
  const provider = withConcurrencyLimit(slow, { maxConcurrent: 2, maxWaitMs });
  const send = (uid: string, signal = new AbortController().signal) =>
    provider.send(aMessage({ uid }), signal);
  return { asked, answers, send };
}

describe("the concurrency limit of a provider", () => {
  it("sends up to the limit, and the next message when a request ends", async () => {
    const { asked, answers, send } = aSlowProvider(60_000);
    const sent = [send("a"), send("b"), send("c")];
    await tick();
    expect(asked).to.deep.equal(["a", "b"]);
    answers[0]?.();
    expect(await sent[0]).to.deep.equal(accepted("a"));
    await tick();
    expect(asked).to.deep.equal(["a", "b", "c"]);
    answers.slice(1).forEach((answer) => answer());
    expect(await Promise.all(sent)).to.deep.equal(["a", "b", "c"].map(accepted));
    void send("d");
    await tick();
    expect(asked).to.include("d");
  });

  it("reports messages as busy while the provider hangs", async () => {
    const { asked, answers, send } = aSlowProvider(20);
    const hanging = [send("a"), send("b")];
    expect(await send("c")).to.deep.equal({ kind: "busy" });
    // Sent immediately, because the first wait has timed out.
    expect(await Promise.race([send("d"), tick("waits")])).to.deep.equal({ kind: "busy" });
    expect(asked).to.deep.equal(["a", "b"]);
    answers.forEach((answer) => answer());
    await Promise.all(hanging);
    const later = send("e");
    await tick();
    answers[2]?.();
    expect(await later).to.deep.equal(accepted("e"));
  });

  it("stops waiting when the signal aborts, and never sends the message later", async () => {
    const { asked, answers, send } = aSlowProvider(60_000);
    const hanging = [send("a"), send("b")];
    const controller = new AbortController();
    const waiting = send("c", controller.signal);
    controller.abort(new Error("The process stops"));
    expect(await waiting.catch(String)).to.equal("Error: The process stops");
    answers.forEach((answer) => answer());
    await Promise.all(hanging);
    expect(asked).to.deep.equal(["a", "b"]);
  });
});
