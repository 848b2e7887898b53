import { expect } from "chai";
import { answerPositionRequest } from "../../../web/rooms/position.ts";

type Tools = Parameters<typeof answerPositionRequest>[0];

describe("a request for the position of this device", () => {
  async function answerWith(found: Awaited<ReturnType<Tools["find"]>>) {
    const answers: unknown[] = [];
    const shown: unknown[] = [];
    const tools: Tools = {
      api: { answerPosition: async (...answer) => void answers.push(answer) },
      store: { update: ({ position }) => void shown.push(position) },
      find: async () => found,
    };
    return { result: await answerPositionRequest(tools, "r"), answers, shown };
  }

  it("is shown before and after the position was sent, even if the browser does not ask", async () => {
    expect(await answerWith({ lat: 48.6, lng: -3.3, accuracy: 12 })).to.deep.equal({
      result: { ok: true },
      answers: [["r", { lat: 48.6, lng: -3.3, accuracy: 12 }]],
      shown: ["asked", "sent"],
    });
  });

  it("leaves nothing on the page if the person refuses", async () => {
    expect(await answerWith("denied")).to.deep.equal({
      result: { ok: false, reason: "denied" },
      answers: [["r", null]],
      shown: ["asked", undefined],
    });
  });
});
