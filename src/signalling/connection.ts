/** What a client may keep open: connections count while somebody is signed in on them, no longer. */
import type { Handlers } from "./answering.ts";

/** The part of a socket that is a place on a connection. */
export type Placed = Readonly<{
  conn: Readonly<{ close(): unknown }>;
  once(type: "disconnect", listener: () => void): unknown;
}>;

const places = new WeakMap<object, number>();

/** Ends the connection of a socket with the last of its sockets: it would be counted nowhere. */
export function endWithLast(socket: Placed): void {
  const { conn } = socket;
  places.set(conn, (places.get(conn) ?? 0) + 1);
  socket.once("disconnect", () => {
    const left = (places.get(conn) ?? 1) - 1;
    places.set(conn, left);
    if (left === 0) {
      conn.close();
    }
  });
}

/** Ends a socket that was told why, after the answer to the message that it may have asked with. */
export function endSoon(socket: Readonly<{ disconnect(): unknown }>): void {
  setImmediate(() => socket.disconnect());
}

/**
 * These handlers, with a deadline for `hello`. Who misses it is cut off as by a lost connection:
 * a page of ours, which may have met a database that was away, comes back by itself.
 */
export function withDeadline(socket: Placed, helloMs: number, handlers: Handlers): Handlers {
  const deadline = setTimeout(() => socket.conn.close(), helloMs);
  const stop = (): void => clearTimeout(deadline);
  socket.once("disconnect", stop);
  const { hello } = handlers;
  return hello === undefined
    ? handlers
    : {
        ...handlers,
        hello: async (given) => {
          const answered = await hello(given);
          stop();
          return answered;
        },
      };
}
