import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect } from "chai";
import { createForwarder, type ForwardTarget } from "../../src/cli/forward.ts";
import { buildRequest } from "../../src/pipeline/delivery/request.ts";
import { createHttpSendClient } from "../../src/pipeline/delivery/send.ts";
import { eventually } from "../support/eventually.ts";
import { useReceiver, type Reply } from "../support/receiver.ts";
import { useSendClient } from "../support/send-clients.ts";

const secret = `whsec_${Buffer.alloc(32, 4).toString("base64")}`;
const now = new Date("2026-11-22T10:00:00.000Z");
const event = { event_id: "evt_1", sequence: 7, replay: false, body: '{"a":1}' };

/** Bytes of an answer, after which the program closes the connection. */
function bytes(text: string): Reply {
  return { raw: (socket) => socket.end(text) };
}

/** Bytes of an answer, after which nothing follows. */
function bytesOnly(text: string): Reply {
  return { raw: (socket) => socket.write(text) };
}

function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
}

describe("the forwarder of sightline listen", () => {
  const server = useReceiver();
  const { open, closing } = useSendClient(createHttpSendClient);
  const stop = new AbortController();
  const forwarderFor = (target: Partial<ForwardTarget> = {}, { signal } = stop) =>
    closing(
      createForwarder(
        { now: () => now, signal },
        { url: server.receiver.url, secret, presets: [], ...target },
      ),
    );
  /** What `listen` shows: the status or the reason. */
  const shownFor = async (reply: Reply, target?: Partial<ForwardTarget>) => {
    server.receiver.answerWith([reply]);
    const result = await forwarderFor(target).forward(event);
    return result.kind === "answered" ? result.status : result.reason;
  };

  it("sends exactly the headers of a delivery", async () => {
    await forwarderFor().forward(event);
    const { request } = buildRequest(
      {
        ...{ url: server.receiver.url, eventId: "evt_1", sequence: 7, attempt: 1 },
        ...{ body: event.body, secrets: [secret], headers: [] },
      },
      now,
    );
    await open().send(request);
    const [forwarded, delivered] = server.receiver.requests;
    expect(forwarded!.rawHeaders).to.deep.equal(delivered!.rawHeaders);
    expect(forwarded!.text).to.equal(delivered!.text);
  });

  it("limits the time of an answer, whatever the garbage collector does", async () => {
    server.receiver.answerWith(["hang"]);
    const forwarded = forwarderFor({ timeoutMs: 200 }).forward(event);
    await server.receiver.sees(1);
    collectGarbage();
    const result = await forwarded;
    expect(result).to.include({ kind: "failed", reason: "Response timed out", attempts: 1 });
  });

  it("takes the status as the answer, even if the body is cut off or never ends", async () => {
    const head = "HTTP/1.1 200 OK\r\nContent-Length: 200\r\n\r\n";
    expect(await shownFor(bytes(`${head}ok`))).to.equal(200);
    expect(await shownFor(bytesOnly(`${head}ok`), { timeoutMs: 200 })).to.equal(200);
    const endless = `HTTP/1.1 500 Oops\r\n\r\n${"x".repeat(70_000)}`;
    expect(await shownFor(bytesOnly(endless))).to.equal(500);
    expect(
      await shownFor(
        bytesOnly("HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n"),
      ),
    ).to.equal(101);
  });

  it("describes a failure as the delivery log does", async () => {
    expect(await shownFor(bytes("SSH-2.0-OpenSSH\r\n"))).to.equal(
      "The response is not valid HTTP (HPE_INVALID_CONSTANT)",
    );
  });

  it("sends again if the program closes a connection that it answered on before", async () => {
    const forwarder = forwarderFor();
    await forwarder.forward(event);
    server.receiver.answerWith(["reset", 204]);
    expect(await forwarder.forward(event)).to.include({ status: 204, attempts: 2 });
    expect(server.receiver.connections).to.equal(2);
  });

  it("stops at Ctrl-C", async () => {
    const own = new AbortController();
    server.receiver.answerWith(["hang"]);
    const forwarded = forwarderFor({}, own).forward(event);
    await eventually(() => server.receiver.requests.length === 1);
    own.abort();
    expect(await forwarded).to.include({ kind: "failed", reason: "interrupted" });
    expect(await forwarderFor({}, own).forward(event)).to.include({ reason: "interrupted" });
  });
});
