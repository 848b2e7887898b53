import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { expect } from "chai";
import {
  createFrameParser,
  encodeFrame,
  startMllp,
  type MllpServer,
  type MllpDeps,
} from "../../src/hl7/mllp.ts";
import { useDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { aMessage, segmentsOf, useHl7Api } from "../support/hl7.ts";

const maxFrameBytes = 10_000;

describe("HL7 over MLLP", () => {
  const database = useDatabase();
  const hospital = useHl7Api(database);
  const running: { mllp: MllpServer; sockets: Socket[] }[] = [];

  const start = async (changed: Partial<MllpDeps> = {}) => {
    const { id: userId, enterpriseId } = hospital.api.fixture.api;
    const silent = (): void => undefined;
    const mllp = await startMllp({
      hl7: hospital.hl7,
      findActor: async () => ({ enterpriseId, userId, mayWrite: true }),
      port: 0,
      host: "127.0.0.1",
      maxFrameBytes,
      log: { info: silent, warn: silent, error: silent },
      ...changed,
    });
    const sockets: Socket[] = [];
    running.push({ mllp, sockets });
    const open = async () => {
      const socket = connect(mllp.port, "127.0.0.1");
      sockets.push(socket);
      socket.on("error", silent);
      await once(socket, "connect");
      const frames = createFrameParser(100_000);
      const acks: string[] = [];
      socket.on("data", (chunk: Buffer) => {
        acks.push(...frames.push(chunk).map(({ bytes }) => bytes.toString()));
      });
      return { socket, acks };
    };
    return { mllp, open };
  };

  afterEach("stop the listeners", async () => {
    for (const { mllp, sockets } of running.splice(0)) {
      sockets.forEach((socket) => socket.destroy());
      await mllp.close();
    }
  });

  const message = (id: string): string =>
    aMessage({ id, clinician: hospital.api.fixture.moderator.login });
  const isClosed = (socket: Socket) =>
    eventually(() => socket.closed || socket.readyState === "closed");

  it("answers the messages of a connection in order, for any chunking", async () => {
    const { open } = await start();
    const { socket, acks } = await open();
    const messages = [message("M1"), message("M2"), message("M3")];
    const bytes = Buffer.concat(messages.map(encodeFrame));
    for (let at = 0; at < bytes.length; at += 301) {
      socket.write(bytes.subarray(at, at + 301));
    }
    await eventually(() => acks.length === 3);
    const controls = messages.map((text) => segmentsOf(text)["MSH"]?.[9]);
    expect(acks.map((ack) => segmentsOf(ack)["MSA"]?.slice(1, 3))).to.deep.equal(
      controls.map((control) => ["AA", control]),
    );
    const made = await database.db("conferences").whereLike("external_key", "WARD M%");
    expect(made).to.have.length(3);
  });

  it("answers AR without permission and AE after a failure, and keeps the connection", async () => {
    const { enterpriseId, id: userId } = hospital.api.fixture.api;
    let actor: Awaited<ReturnType<MllpDeps["findActor"]>> = undefined;
    const { open } = await start({ findActor: async () => actor });
    const { socket, acks } = await open();
    const failing = message("F1");
    socket.write(encodeFrame(failing));
    await eventually(() => acks.length === 1);
    actor = { enterpriseId, userId, mayWrite: true };
    socket.write(encodeFrame(failing));
    await eventually(() => acks.length === 2);
    actor = { enterpriseId, userId, mayWrite: false };
    socket.write(encodeFrame(message("F2")));
    await eventually(() => acks.length === 3);
    expect(acks.map((ack) => segmentsOf(ack)["MSA"]?.[1])).to.deep.equal(["AE", "AA", "AR"]);
  });

  it("closes a connection if a message cannot even be refused, and serves the others", async () => {
    const logged: unknown[] = [];
    const silent = (): void => undefined;
    let isBroken = true;
    const breakIf = (): void => {
      if (isBroken) {
        throw new Error("broken");
      }
    };
    const { open } = await start({
      hl7: {
        handle: async (order) => {
          breakIf();
          return hospital.hl7.handle(order);
        },
        failed: (...failure) => {
          breakIf();
          return hospital.hl7.failed(...failure);
        },
      },
      log: { info: silent, warn: silent, error: (...line: unknown[]) => logged.push(line.at(-1)) },
    });
    const [first, second] = [await open(), await open()];
    first.socket.write(encodeFrame(message("X1")));
    await isClosed(first.socket);
    expect(logged).to.deep.equal(["mllp.failed", "mllp.not_answered"]);
    isBroken = false;
    second.socket.write(encodeFrame(message("X2")));
    await eventually(() => second.acks.length === 1);
    expect(first.acks).to.deep.equal([]);
  });

  it("answers invalid frames, and the valid message after them", async () => {
    const { open } = await start();
    const { socket, acks } = await open();
    const [header = ""] = message("B0").split("\r");
    const strange: (string | Buffer)[] = [
      "Hello",
      "",
      "MSH||||",
      header.replace(/\|[^|]*$/u, "|JIS"),
      Buffer.concat([Buffer.from(`${header}\rPID|1||`), Buffer.alloc(maxFrameBytes + 1, 65)]),
      `${header}${"\rNTE|1".repeat(501)}`,
    ];
    const bytes = strange.map((one) =>
      Buffer.concat([Buffer.from([0x0b]), Buffer.from(one), Buffer.from([0x1c, 0x0d])]),
    );
    socket.write(Buffer.concat([...bytes, encodeFrame(message("B1"))]));
    await eventually(() => acks.length === strange.length + 1);
    const answers = acks.map((ack) => segmentsOf(ack));
    const control = header.split("|")[9] ?? "";
    expect(answers.slice(0, -1).map(({ MSA }) => MSA?.slice(1, 3))).to.deep.equal([
      ...[
        ["AR", ""],
        ["AR", ""],
        ["AR", ""],
      ],
      ...[
        ["AR", control],
        ["AR", control],
        ["AR", control],
      ],
    ]);
    expect(answers.slice(0, -1).map(({ ERR }) => ERR?.[3])).to.deep.equal(
      strange.map(() => "100^Segment sequence error^HL70357"),
    );
    expect(answers.at(-1)?.["MSA"]?.[1]).to.equal("AA");
    expect(socket.readyState).to.equal("open");
  });

  it("closes idle connections", async () => {
    const { open } = await start({ idleTimeoutMs: 30 });
    const { socket } = await open();
    await isClosed(socket);
  });

  it("limits the connections per address, and accepts another one when one is closed", async () => {
    const { open } = await start({ maxPerAddress: 1 });
    const { socket: first } = await open();
    await isClosed((await open()).socket);
    expect(first.closed).to.equal(false);
    first.destroy();
    await eventually(async () => {
      const { socket, acks } = await open();
      socket.write(encodeFrame(message("C1")));
      await eventually(() => acks.length === 1, { timeoutMs: 2_000 }).catch((thrown: unknown) => {
        socket.destroy(); // It would occupy the only connection.
        throw thrown;
      });
    });
  });

  it("finishes messages in progress when it stops, and accepts no more", async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    let isHeld = false;
    const slow: MllpDeps["hl7"] = {
      failed: hospital.hl7.failed,
      handle: async (order) => {
        isHeld = true;
        await held;
        return hospital.hl7.handle(order);
      },
    };
    const { mllp, open } = await start({ hl7: slow });
    const { socket, acks } = await open();
    socket.write(encodeFrame(message("S1")));
    await eventually(() => isHeld);
    const closing = mllp.close();
    release();
    await closing;
    await eventually(() => acks.length === 1);
    await isClosed(socket);
  });
});
