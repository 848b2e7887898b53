import { EventEmitter } from "node:events";
import type { IncomingMessage } from "node:http";
import { expect } from "chai";
import { createConnectionLimiter, networkOf } from "../../src/signalling/connection-limiter.ts";
import { eventually } from "../support/eventually.ts";

type FakeSocket = EventEmitter & {
  remoteAddress: string;
  isDestroyed: boolean;
  destroy(): void;
};

function aSocket(remoteAddress: string): FakeSocket {
  const socket: FakeSocket = Object.assign(new EventEmitter(), {
    remoteAddress,
    isDestroyed: false,
    destroy: () => {
      socket.isDestroyed = true;
      setImmediate(() => socket.emit("close"));
    },
  });
  return socket;
}

type Opened = { request: IncomingMessage; socket: FakeSocket };

function open(address: string): Opened {
  const socket = aSocket(address);
  return { socket, request: { headers: {}, socket } as unknown as IncomingMessage };
}

const limits = { waitMs: 60_000, trustProxy: false, perNetwork: 2, inAll: 3 };

describe("admission of sockets", () => {
  let opened: Opened[] = [];
  const from = (address: string): Opened => {
    const one = open(address);
    opened.push(one);
    return one;
  };
  afterEach("close all", () => {
    opened.forEach(({ socket }) => socket.emit("close"));
    opened = [];
  });

  it("limits the unauthenticated ones per network", () => {
    const admission = createConnectionLimiter(limits);
    const [a, b, c] = [from("192.0.2.1"), from("192.0.2.1"), from("192.0.2.1")];
    expect([a, b, c].map(({ request }) => admission.begin(request))).to.deep.equal([
      ...[true, true, false],
    ]);
    admission.admit(a.request);
    expect(admission.begin(c.request)).to.equal(true);
    b.socket.emit("close");
    expect(admission.waiting()).to.equal(1);
    admission.admit(c.request);
    admission.admit(c.request);
    expect(admission.waiting()).to.equal(0);
    expect(a.socket.isDestroyed).to.equal(false);
  });

  it("evicts the oldest of the network with the most, if all are in use", () => {
    const admission = createConnectionLimiter(limits);
    const [other, first, second] = [from("198.51.100.1"), from("192.0.2.1"), from("192.0.2.1")];
    [other, first, second].forEach(({ request }) => admission.begin(request));
    expect(admission.begin(from("203.0.113.1").request)).to.equal(true);
    const destroyed = [other, first, second].map(({ socket }) => socket.isDestroyed);
    expect(destroyed).to.deep.equal([false, true, false]);
    expect(admission.waiting()).to.equal(3);
  });

  it("treats an address block as one network if all are in use, so that a flood evicts itself", () => {
    const admission = createConnectionLimiter(limits);
    const other = from("2001:db8:1::1");
    const flood = [from("2001:db8:2:1::1"), from("2001:db8:2:2::1"), from("2001:db8:2:3::1")];
    [other, ...flood].forEach(({ request }) => admission.begin(request));
    expect(other.socket.isDestroyed).to.equal(false);
    expect(flood.map(({ socket }) => socket.isDestroyed)).to.deep.equal([true, false, false]);
  });

  it("closes only those that do not authenticate in time", async () => {
    const admission = createConnectionLimiter({ ...limits, waitMs: 5 });
    const [silent, signedIn] = [from("192.0.2.1"), from("198.51.100.1")];
    admission.begin(silent.request);
    admission.begin(signedIn.request);
    admission.admit(signedIn.request);
    await eventually(() => silent.socket.isDestroyed && admission.waiting() === 0);
    expect(signedIn.socket.isDestroyed).to.equal(false);
  });

  it("uses the address added by the last trusted proxy", () => {
    const headers = { "x-forwarded-for": "10.9.9.9, 203.0.113.9" };
    expect(networkOf(headers, "10.0.0.1", true)).to.equal("203.0.113.9");
    expect(networkOf(headers, "10.0.0.1", false)).to.equal("10.0.0.1");
    expect(networkOf({}, "2001:db8::1", true)).to.equal("2001:db8:0:0::/64");
  });
});
