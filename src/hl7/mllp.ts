/**
 * HL7 v2 over MLLP, for systems that speak no HTTP. MLLP knows no login: every message acts for
 * the one user that the operator configured, and the port belongs into the operator's network.
 */
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { Problem, problem } from "../contracts/problems.ts";
import { toError } from "../platform/errors.ts";
import type { Logger } from "../platform/logger.ts";
import { createFrames, frame, type Frame, type Frames } from "./frames.ts";
import type { Actor } from "./ports.ts";
import type { Hl7 } from "./service.ts";

export type MllpDeps = Readonly<{
  hl7: Pick<Hl7, "handle" | "failed">;
  /** Asked for every message, so that a user who is switched off is refused at once. */
  findActor: () => Promise<Actor | undefined>;
  port: number;
  host: string;
  maxFrameBytes?: number;
  idleTimeoutMs?: number;
  maxConnections?: number;
  /** One sender that does not close its connections leaves some to the others. */
  maxPerAddress?: number;
  log: Pick<Logger, "info" | "warn" | "error">;
}>;

export type Mllp = Readonly<{
  port: number;
  /** Takes no more connections and messages; what is being done is answered. */
  close(): Promise<void>;
}>;

const defaults = {
  maxFrameBytes: 256 * 1024,
  idleTimeoutMs: 5 * 60_000,
  maxConnections: 100,
  maxPerAddress: 50,
};

export async function startMllp(deps: MllpDeps): Promise<Mllp> {
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
    open.set(socket, serve(deps, socket, createFrames(maxFrameBytes)));
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

/** The messages of one connection, one after the other: answers come in the order of messages. */
function serve(deps: MllpDeps, socket: Socket, frames: Frames): { idle: () => Promise<void> } {
  let queue: Promise<void> = Promise.resolve();

  const answer = async (message: Frame): Promise<void> => {
    const ack = await answerTo(deps, message);
    if (socket.writable) {
      socket.write(frame(ack));
    }
  };

  const receive = (chunk: Buffer): void => {
    const messages = frames.push(chunk);
    if (messages.length === 0) {
      return;
    }
    // No more is read than can be done: a sender that floods waits in its own buffers.
    socket.pause();
    queue = messages
      .reduce((before, message) => before.then(() => answer(message)), queue)
      .finally(() => socket.resume());
  };

  socket.on("data", receive);
  socket.on("error", (error) => {
    deps.log.warn({ reason: error.message }, "mllp.connection_lost");
  });
  return { idle: () => queue };
}

/** Every frame is answered: a sender repeats an unanswered message for ever, and its feed stands. */
async function answerTo(deps: MllpDeps, { bytes, isTooLarge }: Frame): Promise<string> {
  const { hl7, findActor, log } = deps;
  try {
    if (isTooLarge) {
      throw problem("too_large", "The message is larger than one may be.");
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

function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}
