import { expect } from "chai";
import { createCallRequests } from "../../../web/rooms/call-requests.ts";
import type { Signalling } from "../../../web/rooms/signalling/signalling-client.ts";

describe("the requests of a page in a call", () => {
  /** A server that answers when the test says so. */
  const aPage = () => {
    const asked: string[] = [];
    const answers: ((ack: object) => void)[] = [];
    const wanted: (() => boolean)[] = [];
    const request = (type: string, _input: object, isWanted = () => true): Promise<object> => {
      asked.push(type);
      wanted.push(isWanted);
      return new Promise((resolve) => {
        answers.push(resolve);
      });
    };
    const requests = createCallRequests({ request } as unknown as Signalling);
    const answer = async (ack: object): Promise<void> => {
      answers.shift()?.(ack);
      await settled();
    };
    /** Whether the last request would be repeated now. */
    const isRepeated = (): boolean | undefined => wanted.at(-1)?.();
    return { asked, answer, isRepeated, requests };
  };

  it("join again only once the server knows that the page left", async () => {
    const { asked, answer, requests } = aPage();
    void requests.leave();
    const joined = requests.join();
    await settled();
    expect(asked).to.deep.equal(["leave"]);
    await answer({ ok: true });
    expect(asked).to.deep.equal(["leave", "join"]);
    await answer({ ok: true });
    expect(await joined).to.deep.equal({ ok: true });
  });

  it("do not take the answer to an earlier join for that to the last one", async () => {
    const { asked, answer, requests } = aPage();
    const first = requests.join();
    await settled();
    void requests.leave();
    const last = requests.join();
    await answer({ ok: true });
    expect(await first).to.equal(undefined);
    expect(requests.isJoining()).to.equal(true);
    await answer({ ok: true });
    expect(asked).to.deep.equal(["join", "leave", "join"]);
    await answer({ ok: false });
    expect(await last).to.deep.equal({ ok: false });
    expect(requests.isJoining()).to.equal(false);
  });

  it("repeat a join no longer once the page has left", async () => {
    const { asked, answer, isRepeated, requests } = aPage();
    const joined = requests.join();
    await settled();
    expect(isRepeated()).to.equal(true);
    void requests.leave();
    expect(isRepeated()).to.equal(false);
    await answer({ ok: false });
    expect([asked, await joined]).to.deep.equal([["join", "leave"], undefined]);
    expect(isRepeated(), "leave").to.equal(true);
  });

  it("join once at a time", async () => {
    const { asked, answer, requests } = aPage();
    const joined = requests.join();
    expect(await requests.join()).to.equal(undefined);
    await answer({ ok: true });
    expect([asked, await joined]).to.deep.equal([["join"], { ok: true }]);
  });

  it("know that the call is being ended until the server has answered", async () => {
    const { answer, requests } = aPage();
    const ended = requests.end();
    await settled();
    expect(requests.isEnding()).to.equal(true);
    await answer({ ok: false });
    await ended;
    expect(requests.isEnding()).to.equal(false);
  });
});

function settled(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
