import { expect } from "chai";
import {
  createHandover,
  type Arrival,
  type HandoverPeer,
} from "../../../../web/rooms/media/handover.ts";

const ann: HandoverPeer = {
  id: "ann",
  role: "participant",
  state: { isCameraOn: true, isMicOn: true },
};
const ben: HandoverPeer = { ...ann, id: "ben" };

const nothing: Arrival = {
  isOldConnected: true,
  isNewConnected: false,
  hasPicture: false,
  hasSound: false,
};
const everything: Arrival = {
  ...nothing,
  isNewConnected: true,
  hasPicture: true,
  hasSound: true,
};

describe("the change of the media route during a call", () => {
  let nowMs = 0;
  const handoverOf = (...peers: HandoverPeer[]) => createHandover(peers, () => nowMs);
  beforeEach(() => {
    nowMs = 1_000;
  });

  it("shows a peer by the new route once audio and video arrive", () => {
    const handover = handoverOf(ann);
    handover.step([ann], () => ({ ...everything, hasSound: false }));
    expect(handover.isOnOld("ann")).to.equal(true);
    handover.step([ann], () => everything);
    expect(handover.isOnOld("ann")).to.equal(false);
  });

  it("waits only for the tracks that the peer sends", () => {
    const listener = { ...ann, state: { isCameraOn: false, isMicOn: false } };
    const handover = handoverOf(listener);
    handover.step([listener], () => ({ ...nothing, isNewConnected: true }));
    expect(handover.isOnOld("ann")).to.equal(false);
  });

  it("keeps the old connection for another 3 s, which the peer may need", () => {
    const handover = handoverOf(ann);
    handover.step([ann], () => everything);
    expect(handover.keptOnOld([ann])).to.deep.equal([ann]);
    nowMs += 3_000;
    expect(handover.keptOnOld([ann])).to.deep.equal([]);
    expect(handover.isDone([ann])).to.equal(true);
  });

  it("keeps a peer on the old route that never reaches the new one", () => {
    const handover = handoverOf(ann, ben);
    handover.step([ann, ben], (id) => (id === "ann" ? everything : nothing));
    nowMs += 3_600_000;
    handover.step([ann, ben], (id) => (id === "ann" ? everything : nothing));
    expect(handover.keptOnOld([ann, ben])).to.deep.equal([ben]);
    expect(handover.isDone([ann, ben])).to.equal(false);
    expect(handover.isDone([ann]), "and is done when that one leaves").to.equal(true);
  });

  it("waits 8 s for an announced track, or not at all if the old route is dead", () => {
    const silent = { ...everything, hasPicture: false };
    const handover = handoverOf(ann, ben);
    const arrivalOf = (id: string): Arrival => ({ ...silent, isOldConnected: id === "ann" });
    handover.step([ann, ben], arrivalOf);
    expect([handover.isOnOld("ann"), handover.isOnOld("ben")]).to.deep.equal([true, false]);
    nowMs += 8_001;
    handover.step([ann, ben], arrivalOf);
    expect(handover.isOnOld("ann")).to.equal(false);
  });

  it("never opens an old connection to a peer that joined during the change", () => {
    const handover = handoverOf(ann);
    expect(handover.isOnOld("ben")).to.equal(false);
    expect(handover.keptOnOld([ann, ben])).to.deep.equal([ann]);
  });
});
