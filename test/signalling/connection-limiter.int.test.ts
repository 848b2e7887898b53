import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { expect } from "chai";
import { signallingPath } from "../../src/contracts/signalling.ts";
import { eventually } from "../support/eventually.ts";
import { aTenantRoom } from "../support/tenant-rooms.ts";
import { useSignalling } from "../support/signalling-fixture.ts";
import { connectGuest } from "../support/signalling.ts";

/** A WebSocket client that sends no data and never answers a close frame. */
async function openSilent(url: string): Promise<{ socket: Socket; status: string }> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.on("error", () => undefined);
  socket.write(
    [
      `GET ${signallingPath}/?EIO=4&transport=websocket HTTP/1.1`,
      `Host: ${hostname}`,
      "Connection: Upgrade",
      "Upgrade: websocket",
      "Sec-WebSocket-Version: 13",
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
      "\r\n",
    ].join("\r\n"),
  );
  const [head] = (await once(socket, "data")) as [Buffer];
  return { socket, status: head.toString().split(" ", 2)[1] ?? "" };
}

describe("unauthenticated sockets", () => {
  const fixture = useSignalling({ times: { admissionMs: 1_500 } });
  const sockets: Socket[] = [];
  afterEach(() => sockets.splice(0).forEach((socket) => socket.destroy()));
  const openMany = async (count: number): Promise<string[]> => {
    const opened = await Promise.all(
      Array.from({ length: count }, () => openSilent(fixture.node.url)),
    );
    sockets.push(...opened.map(({ socket }) => socket));
    return opened.map(({ status }) => status);
  };
  const areClosed = () => sockets.every((socket) => socket.readableEnded || socket.destroyed);

  it("are limited to a hundred per address, and closed soon, even if unresponsive", async () => {
    const statuses = await openMany(110);
    expect(statuses.filter((status) => status === "101")).to.have.length(100);
    expect(statuses.filter((status) => status === "400")).to.have.length(10);
    // Less than the 30 s timeout of the closing handshake.
    await eventually(areClosed, { timeoutMs: 15_000 });
    expect(await openMany(1)).to.deep.equal(["101"]);
  });

  it("do not affect authenticated ones", async () => {
    const { token } = await aTenantRoom(fixture.database.db, fixture.tenant, "requestor");
    const guest = await connectGuest(fixture.node, token);
    await openMany(1);
    await eventually(areClosed, { timeoutMs: 15_000 });
    expect(guest.socket.connected).to.equal(true);
    expect(await guest.ask("hello")).to.include({ ok: true });
  });
});
