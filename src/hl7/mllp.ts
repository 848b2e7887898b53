/**
 * HL7 v2 over MLLP, for systems without HTTP. MLLP has no authentication: every message acts as the
 * configured user, so the port must only be reachable in the operator's network.
 */
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { Problem, problem } from "../contracts/problems.ts";
import { toError } from "../platform/errors.ts";
import type { Logger } from "../platform/logger.ts";
import type { Hl7Actor } from "./apply-message.ts";
import type { Hl7 } from "./service.ts";

export type MllpDeps = Readonly<{
  hl7: Pick<Hl7, "handle" | "failed">;
  /** Called for every message, so that disabling the user takes effect at once. */
  findActor: () => Promise<Hl7Actor | undefined>;
  port: number;
  host: string;
  maxFrameBytes?: number;
  idleTimeoutMs?: number;
  maxConnections?: number;
  /** So that one sender cannot use all connections. */
  maxPerAddress?: number;
  log: Pick<Logger, "info" | "warn" | "error">;
}>;

export type MllpServer = Readonly<{
  port: number;
  /** Stops accepting connections and messages; messages in progress are still answered. */
  close(): Promise<void>;
}>;

const startByte = 0x0b;

const endBytes = Buffer.from([0x1c, 0x0d]);

/** The kept prefix of a message that is too large. It contains the header for the answer. */
export const maxPrefixBytes = 4_096;

export type Frame = Readonly<{ bytes: Buffer; isTooLarge: boolean }>;

export type FrameParser = {
  /** Returns the messages completed by these bytes, in order. */
  push(chunk: Buffer): Frame[];
};

const defaults = {
  maxFrameBytes: 256 * 1024,
  idleTimeoutMs: 5 * 60_000,
  maxConnections: 100,
  maxPerAddress: 50,
};

export async function startMllp(deps: MllpDeps): Promise<MllpServer> {
  const { maxFrameBytes, idleTimeoutMs, maxConnections, maxPerAddress } = { ...defaults, ...deps };
  const open = new Map<Socket, { idle: () => Promise<void> }>();
  const countOf = (address: string | undefined): number =>
    [...open.keys()].filter(({ remoteAddress }) => remoteAddress === address).length;

  const server = createServer((socket) => {
    if (countOf(socket.remoteAddress) >= maxPerAddress) {
      deps.log.warn({ address: socket.remoteAddress }, "mllp.too_many_connections");
      socket.destroy();
      return;
    }
    socket.setTimeout(idleTimeoutMs, () => socket.destroy());
    socket.setNoDelay(true);
    open.set(socket, serve(deps, socket, createFrameParser(maxFrameBytes)));
    socket.on("close", () => open.delete(socket));
  });
  server.maxConnections = maxConnections;
  const port = await listen(server, deps.port, deps.host);
  deps.log.info({ port }, "mllp.listening");

  return {
    port,
    close: async () => {
      const closed = new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      const finishing = [...open].map(async ([socket, { idle }]) => {
        socket.removeAllListeners("data");
        await idle();
        socket.end(() => socket.destroy());
      });
      await Promise.all(finishing);
      await closed;
    },
  };
}

/** Handles the messages of one connection sequentially, so that answers keep their order. */
function serve(deps: MllpDeps, socket: Socket, frames: FrameParser): { idle: () => Promise<void> } {
  let queue: Promise<void> = Promise.resolve();

  const answer = async (message: Frame): Promise<void> => {
    const ack = await answerTo(deps, message);
    if (socket.writable) {
      socket.write(encodeFrame(ack));
    }
  };

  const receive = (chunk: Buffer): void => {
    const messages = frames.push(chunk);
    if (messages.length === 0) {
      return;
    }
    // Backpressure: stop reading while messages are being handled.
    socket.pause();
    queue = messages
      .reduce((before, message) => before.then(() => answer(message)), queue)
      .catch((thrown: unknown) => {
        deps.log.error({ reason: toError(thrown).message }, "mllp.not_answered");
        socket.destroy(); // the sender repeats the message on another connection
      })
      .finally(() => socket.resume());
  };

  socket.on("data", receive);
  socket.on("error", (error) => {
    deps.log.warn({ reason: error.message }, "mllp.connection_lost");
  });
  return { idle: () => queue };
}

/** Always answers: a sender repeats an unanswered message forever, which blocks its feed. */
async function answerTo(deps: MllpDeps, { bytes, isTooLarge }: Frame): Promise<string> {
  const { hl7, findActor, log } = deps;
  try {
    if (isTooLarge) {
      throw problem("too_large", "The message is too large.");
    }
    const actor = await findActor();
    if (actor === undefined) {
      throw new Error("The user that MLLP messages act for cannot be used");
    }
    return (await hl7.handle({ actor, bytes })).ack;
  } catch (thrown) {
    const { message: reason } = toError(thrown);
    if (thrown instanceof Problem) {
      log.warn({ reason }, "mllp.refused");
    } else {
      log.error({ reason }, "mllp.failed");
    }
    return hl7.failed(bytes, thrown);
  }
}

export function encodeFrame(text: string): Buffer {
  return Buffer.concat([Buffer.from([startByte]), Buffer.from(text, "utf8"), endBytes]);
}

/**
 * Parses MLLP frames: a message between 0x0B and 0x1C 0x0D. Drops bytes between frames, and the
 * part of a frame beyond `maxBytes`; the next frame is parsed normally.
 */
export function createFrameParser(maxBytes: number): FrameParser {
  let rest: Buffer = Buffer.alloc(0);
  /** The prefix of a frame that is too large, while its rest is being dropped. */
  let head: Buffer | undefined;

  const takeTooLarge = (kept: Buffer): Frame | undefined => {
    const end = rest.indexOf(endBytes);
    if (end === -1) {
      rest = rest.subarray(Math.max(0, rest.length - 1)); // may be the first end byte
      return undefined;
    }
    rest = rest.subarray(end + endBytes.length);
    head = undefined;
    return { bytes: kept, isTooLarge: true };
  };

  const takeOne = (): Frame | undefined => {
    if (head !== undefined) {
      return takeTooLarge(head);
    }
    const start = rest.indexOf(startByte);
    if (start === -1) {
      rest = Buffer.alloc(0);
      return undefined;
    }
    rest = rest.subarray(start);
    const end = rest.indexOf(endBytes);
    // Without the end bytes, the last byte may already be the first of them.
    if ((end === -1 ? rest.length - 1 : end) > maxBytes) {
      head = Buffer.from(rest.subarray(1, Math.min(maxBytes, maxPrefixBytes)));
      return takeTooLarge(head);
    }
    if (end === -1) {
      return undefined;
    }
    const bytes = rest.subarray(1, end);
    rest = rest.subarray(end + endBytes.length);
    return { bytes, isTooLarge: false };
  };

  return {
    push: (chunk) => {
      rest = Buffer.concat([rest, chunk]);
      const frames: Frame[] = [];
      for (let next = takeOne(); next !== undefined; next = takeOne()) {
        frames.push(next);
      }
      return frames;
    },
  };
}

function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}
