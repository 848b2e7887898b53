/** Simulates pages of calls without media: two sockets per room that send what the pages send. */
import { randomUUID } from "node:crypto";
import { io, type Socket } from "socket.io-client";
import { signallingPath } from "../../src/contracts/signalling.ts";
import { serveCommands } from "../support/commands.ts";
import type { Visit } from "../support/visits.ts";

type Page = { socket: Socket; peerId: string };

type Room = { agent: Page; customer: Page };

type Options = Readonly<{
  /** The processes that agents and customers connect to. */
  agentUrl: string;
  customerUrl: string;
  visits: readonly Visit[];
}>;

let rooms: Room[] = [];

/** Connections that are opened at the same time. */
const parallel = 16;

async function open({ agentUrl, customerUrl, visits }: Options): Promise<void> {
  const waiting = [...visits];
  const work = async (): Promise<void> => {
    for (let visit = waiting.pop(); visit !== undefined; visit = waiting.pop()) {
      const customer = await enter(customerUrl, visit.customer);
      rooms.push({ customer, agent: await enter(agentUrl, visit.agent) });
    }
  };
  await Promise.all(Array.from({ length: parallel }, work));
}

async function enter(url: string, token: string): Promise<Page> {
  const options = { path: signallingPath, transports: ["websocket"], forceNew: true };
  const socket = io(`${url}/rtc`, { ...options, auth: { token } });
  await new Promise<void>((resolve, reject) => {
    socket.once("connect", resolve);
    socket.once("connect_error", reject);
  });
  const { self } = await ask<{ self: { id: string } }>(socket, "hello", {});
  await ask(socket, "join", {});
  return { socket, peerId: self.id };
}

async function ask<T>(socket: Socket, type: string, input: object): Promise<T> {
  const ack = (await socket.timeout(30_000).emitWithAck(type, input)) as { ok: boolean };
  if (!ack.ok) {
    throw new Error(`${type}: ${JSON.stringify(ack)}`);
  }
  return ack as T;
}

export type RoomLoad = Readonly<{
  /** Chat messages, and state changes of each page, per room and minute. */
  perMinute: number;
  pointersPerSecond: number;
  /** The share of rooms in which the agent moves the pointer. */
  pointingShare: number;
  seconds: number;
}>;

export type RoomLoadResult = {
  pointerMs: Float64Array;
  pointersLost: number;
  chatMs: Float64Array;
  stateMs: Float64Array;
  disconnects: number;
};

async function run(load: RoomLoad): Promise<RoomLoadResult> {
  const measured = { pointer: [] as number[], chat: [] as number[], state: [] as number[] };
  const sent = new Map<string, number>();
  const pointing = rooms.slice(0, Math.ceil(rooms.length * load.pointingShare));
  let disconnects = 0;
  for (const [index, { agent, customer }] of rooms.entries()) {
    hearLater(customer, { index, sent, ...measured });
    for (const { socket } of [agent, customer]) {
      socket.once("disconnect", () => (disconnects += 1));
    }
  }
  const stop = new AbortController();
  const faults: unknown[] = [];
  const spread = (count: number, everyMs: number, act: (index: number) => Promise<unknown>) =>
    startSpread({ count, everyMs, signal: stop.signal }, (index) => {
      act(index).catch((thrown: unknown) => faults.push(thrown));
    });
  const minuteMs = 60_000 / load.perMinute;
  const loops = [
    spread(rooms.length, minuteMs, (index) => writeChat(rooms[index], sent)),
    spread(rooms.length * 2, minuteMs, (index) => changeState(rooms[index >> 1], index, sent)),
    spread(pointing.length, 1_000 / load.pointersPerSecond, (index) =>
      movePointer(pointing[index], index, sent),
    ),
  ];
  setTimeout(() => stop.abort(), load.seconds * 1_000);
  await Promise.all(loops);
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  for (const { agent, customer } of rooms) {
    agent.socket.removeAllListeners();
    customer.socket.removeAllListeners();
  }
  if (faults.length > 0) {
    throw new Error(`${faults.length} messages were refused: ${String(faults[0])}`);
  }
  return {
    pointerMs: Float64Array.from(measured.pointer),
    pointersLost: [...sent.keys()].filter((key) => key.startsWith("pointer")).length,
    chatMs: Float64Array.from(measured.chat),
    stateMs: Float64Array.from(measured.state),
    disconnects,
  };
}

/** Calls `act` for each index below `count`, each one every `everyMs`, evenly spread. */
async function startSpread(
  { count, everyMs, signal }: { count: number; everyMs: number; signal: AbortSignal },
  act: (index: number) => void,
): Promise<void> {
  const startMs = performance.now();
  for (let done = 0; !signal.aborted && count > 0;) {
    const due = Math.floor(((performance.now() - startMs) * count) / everyMs);
    for (; done < due; done += 1) {
      act(done % count);
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

async function writeChat(room: Room | undefined, sent: Map<string, number>): Promise<void> {
  const clientId = randomUUID();
  sent.set(`chat ${clientId}`, performance.now());
  await (room && ask(room.agent.socket, "chat", { clientId, text: "Please show me the label." }));
}

let stateNumber = 0;

/**
 * Reports a connection quality, the most frequent message. The zoom value identifies the change.
 */
async function changeState(
  room: Room | undefined,
  index: number,
  sent: Map<string, number>,
): Promise<void> {
  stateNumber += 1;
  const zoom = { min: 0, max: 1_000_000, step: 1, value: stateNumber % 1_000_000 };
  const camera = { facing: "user", canSwitch: false, isTorchOn: null, zoom };
  const page = index % 2 === 0 ? room?.agent : room?.customer;
  if (page === room?.agent) {
    sent.set(`state ${zoom.value}`, performance.now());
  }
  await (page && ask(page.socket, "state", { isMicOn: true, quality: "fair", camera }));
}

let pointerNumber = 0;

async function movePointer(
  room: Room | undefined,
  index: number,
  sent: Map<string, number>,
): Promise<void> {
  pointerNumber = (pointerNumber + 1) % 10_000;
  const x = pointerNumber / 10_000;
  sent.set(`pointer ${index} ${x}`, performance.now());
  await (room && ask(room.agent.socket, "pointer", { point: { x, y: 0.5 } }));
}

type Hearing = Readonly<{
  index: number;
  sent: Map<string, number>;
  pointer: number[];
  chat: number[];
  state: number[];
}>;

/** Records the latency of the agent's messages at the customer's page. */
function hearLater({ socket }: Page, { index, sent, pointer, chat, state }: Hearing): void {
  const heard = (key: string, into: number[]): void => {
    const sentMs = sent.get(key);
    if (sentMs !== undefined && sent.delete(key)) {
      into.push(performance.now() - sentMs);
    }
  };
  socket.on("pointer", ({ point }: { point: { x: number } }) =>
    heard(`pointer ${index} ${point.x}`, pointer),
  );
  socket.on("chat", ({ clientId }: { clientId: string }) => heard(`chat ${clientId}`, chat));
  socket.on("peer-changed", (peer: { state: { camera: { zoom: { value: number } } | null } }) =>
    heard(`state ${peer.state.camera?.zoom.value}`, state),
  );
}

function close(): void {
  for (const { agent, customer } of rooms) {
    agent.socket.disconnect();
    customer.socket.disconnect();
  }
  rooms = [];
}

const commands = { open, run, close };

export type RoomLoadCommands = typeof commands;
serveCommands(commands);
