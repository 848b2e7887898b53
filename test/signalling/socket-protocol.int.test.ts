import { expect } from "chai";
import { eventually } from "../support/eventually.ts";
import { anAgreedRoom, issueToken } from "../support/tenant-rooms.ts";
import { useSignalling } from "../support/signalling-fixture.ts";
import {
  aMessage,
  enterRoom,
  hear,
  hearJoined,
  joinCall,
  type TestClient,
} from "../support/signalling.ts";

describe("the limits of a room's sockets", () => {
  const fixture = useSignalling();
  const { database } = fixture;

  const aRoom = () => anAgreedRoom(database.db, fixture.tenant);

  it("disconnect a page that ignores rejections, and no other", async () => {
    const [here, elsewhere] = [await aRoom(), await aRoom()];
    const one = await joinCall(fixture.node, here.customer);
    const talks = [await aTalk(here.agent), await aTalk(elsewhere.agent)];
    const flood = Array.from({ length: 10_000 }, () =>
      one.socket.emitWithAck("pointer", { point: null }).catch(() => undefined),
    );
    const said = await Promise.all(talks.map(({ speaker }) => sayAll(speaker)));
    expect(said.flat().filter(({ ok }) => !ok)).to.deep.equal([]);
    await eventually(() => !one.socket.connected);
    expect(one.of("over")).to.deep.equal([{ reason: "flood" }]);
    for (const { speaker, listener } of talks) {
      await eventually(() => {
        const chats = listener.of<{ text: string }>("chat").map(({ text }) => text);
        expect(chats.toSorted()).to.deep.equal(texts);
        const pointers = listener.of<{ from: string; point: unknown }>("pointer");
        const own = pointers.flatMap(({ from, point }) =>
          from === speaker.self.id ? [point] : [],
        );
        expect(own).to.deep.equal(points);
      });
    }
    one.socket.close();
    void flood;
  });

  const texts = Array.from({ length: 10 }, (_, at) => `Line ${at}`);
  const points = texts.map((_, at) => ({ x: at / 10, y: 0.5 }));

  /** A staff member in the call, and a second page of the same person that records messages. */
  const aTalk = async (token: string) => ({
    speaker: await joinCall(fixture.node, token),
    listener: await enterRoom(fixture.node, token),
  });

  const sayAll = ({ ask }: TestClient): Promise<{ ok: boolean }[]> =>
    Promise.all([
      ...texts.map((text) => ask("chat", aMessage(text))),
      ...points.map((point) => ask("pointer", { point })),
    ]);

  for (const [what, type, count, sent] of [
    ["unknown messages", "nonsense", 2_000, {}],
    ["messages that want no answer", "peers", 2_000, {}],
    ["a few large messages", "nonsense", 100, { text: "x".repeat(60_000) }],
  ] as const) {
    it(`disconnect a page that floods the server with ${what}`, async () => {
      const { customer } = await aRoom();
      const one = await joinCall(fixture.node, customer);
      Array.from({ length: count }, () => one.socket.emit(type, sent));
      expect(await hear(one, "over")).to.deep.equal({ reason: "flood" });
      await eventually(() => !one.socket.connected);
    });
  }

  it("limit the size of what a page sends to the others", async () => {
    const { customer, agent } = await aRoom();
    const [one, two] = [
      await joinCall(fixture.node, customer),
      await joinCall(fixture.node, agent),
    ];
    await hearJoined(one, two);
    const description = { type: "offer", sdp: "x".repeat(60_000) };
    const streams = { camera: "c1", screen: null };
    const send = () => one.ask("signal", { to: two.self.id, description, streams });
    const acks = await Promise.all(Array.from({ length: 20 }, send));
    const kinds = acks.map(({ error }) => error?.kind ?? "ok");
    expect(kinds).to.include("ok").and.include("rate_limited");
    expect(new Set(kinds).size).to.equal(2);
  });

  it("truncate a long name between characters, and renew all leases", async () => {
    const { guest, agent } = await aRoom();
    const name = `${"x".repeat(127)}😀`;
    const customer = await issueToken({ ...guest, name });
    const [one, two] = [
      await joinCall(fixture.node, customer),
      await joinCall(fixture.node, agent),
    ];
    expect(one.self.name).to.equal("x".repeat(127));
    const leases = async (): Promise<Map<string, number>> => {
      const rows = await database
        .db("room_peers")
        .where({ conversation_id: guest.conversationId })
        .select<{ id: string; seen_at: Date }[]>("id", "seen_at");
      return new Map(rows.map((row) => [row.id, row.seen_at.getTime()]));
    };
    const before = await leases();
    await eventually(async () => {
      const now = await leases();
      return [one, two].every(({ self: { id } }) => (now.get(id) ?? 0) > (before.get(id) ?? 0));
    });
  });
});
