import { expect } from "chai";
import {
  reasonAgainst,
  tools,
  type ToolFacts,
} from "../../../../../web/console/call/tools/tool-reasons.ts";

const camera = {
  facing: "environment" as const,
  ...{ canSwitch: true, isTorchOn: false },
  zoom: { min: 1, max: 4, step: 0.1, value: 1 },
};

const ready: ToolFacts = {
  ...{ stage: "in-call", customer: "live", camera, canShareScreen: true },
  ...{ recording: { state: "off", by: undefined }, mayInvite: true, mayTransfer: true },
  mayInviteExpert: true,
};

const against = (changes: Partial<ToolFacts>) =>
  Object.fromEntries(tools.map((tool) => [tool, reasonAgainst(tool, { ...ready, ...changes })]));

describe("the reasons why a tool is disabled", () => {
  it("are empty in a call with a phone that supports everything", () => {
    expect(Object.values(against({})).filter((reason) => reason !== undefined)).to.deep.equal([]);
  });

  it("allow only invitation and transfer before the call", () => {
    const reasons = against({ stage: "waiting", customer: "absent", camera: null });
    const usable = tools.filter((tool) => reasons[tool] === undefined);
    expect(usable).to.deep.equal(["invite", "transfer"]);
  });

  it("name the missing capability of the device", () => {
    const limited = { ...camera, canSwitch: false, isTorchOn: null, zoom: null };
    expect(against({ camera: limited })).to.include({
      ...{ torch: "no_torch", zoom: "no_zoom", "switch-camera": "one_camera", photo: undefined },
    });
    expect(against({ camera: null })).to.include({ photo: "no_camera", torch: "no_camera" });
  });

  it("respect the customer's pause, except for tools without camera", () => {
    expect(against({ customer: "paused" })).to.include({
      ...{
        photo: "paused",
        freeze: "paused",
        pointer: "paused",
        locate: undefined,
        mic: undefined,
      },
    });
  });

  it("name an absent customer, and missing permissions", () => {
    expect(against({ customer: "absent" })).to.include({
      ...{ photo: "customer_away", record: "customer_away", end: undefined },
    });
    expect(against({ mayTransfer: false, canShareScreen: false })).to.include({
      ...{ transfer: "not_allowed", share: "no_screen" },
    });
  });
});
