import { EventEmitter } from "node:events";
import { expect } from "chai";
import { createAdmissionsFeed } from "../../../src/signalling/room/admissions.ts";
import type { SignallingDeps } from "../../../src/signalling/ports.ts";
import type { RoomNamespace, RoomSocket } from "../../../src/signalling/room/socket.ts";

/** A socket as the feed sees it; `leave` is what socket.io does when its connection ends. */
function aGuest() {
  const socket = Object.assign(new EventEmitter(), {
    connected: true,
    data: { role: "waiting", guest: { conversationId: 7 } },
  });
  const leave = (): void => {
    socket.connected = false;
    socket.emit("disconnect", "transport close");
  };
  return { socket: socket as unknown as RoomSocket, leave };
}

describe("guests who leave while they knock", () => {
  const { socket, leave } = aGuest();
  const feedWith = (rooms: object) =>
    createAdmissionsFeed(
      { rooms, publish: () => undefined } as unknown as SignallingDeps,
      { sockets: new Map() } as unknown as RoomNamespace,
    );

  it("are forgotten, if their request was under way", async () => {
    const feed = feedWith({
      requestAdmission: async () => {
        leave();
        return "requested";
      },
    });
    await feed.knock(socket);
    expect(feed.concerns(7)).to.equal(false);
  });

  it("are forgotten, if their status was being read", async () => {
    const guest = aGuest();
    const feed = feedWith({
      requestAdmission: async () => "requested",
      findAdmissions: async () => {
        guest.leave();
        return ["denied"];
      },
    });
    await feed.knock(guest.socket);
    expect(feed.concerns(7)).to.equal(true);
    await feed.poll();
    expect(feed.concerns(7)).to.equal(false);
  });
});
