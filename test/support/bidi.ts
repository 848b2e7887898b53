/** A connection of WebDriver BiDi: https://w3c.github.io/webdriver-bidi/ */
import { once } from "node:events";
import { WebSocket } from "ws";

/** The parts of an event's parameters that tests read. */
export type LogEntry = Readonly<{ type: string; level: string; text: string }>;

export type Bidi = {
  /** Sends a command, and resolves to its result. Rejects with the browser's message. */
  send(method: string, params: object): Promise<Record<string, unknown>>;
  close(): void;
};

type Message = Readonly<{
  id?: number;
  method?: string;
  params?: LogEntry;
  result?: Record<string, unknown>;
  error?: string;
  message?: string;
}>;

type Waiting = Readonly<{
  resolve: (result: Record<string, unknown>) => void;
  reject: (reason: Error) => void;
}>;

export async function connectBidi(
  url: string,
  onEvent: (method: string, params: LogEntry) => void,
): Promise<Bidi> {
  const socket = new WebSocket(url, { perMessageDeflate: false });
  await once(socket, "open");
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  socket.on("message", (data: Buffer) => {
    const { id, method, params, result, error, message } = JSON.parse(data.toString()) as Message;
    if (id === undefined) {
      if (method !== undefined && params !== undefined) {
        onEvent(method, params);
      }
      return;
    }
    const one = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) {
      one?.resolve(result ?? {});
    } else {
      one?.reject(new Error(`${error}: ${message ?? ""}`));
    }
  });
  socket.on("error", () => undefined); // a close follows
  socket.on("close", () => {
    waiting.forEach(({ reject }) => reject(new Error("The browser has ended")));
    waiting.clear();
  });
  return {
    send: (method, params) =>
      new Promise((resolve, reject) => {
        lastId += 1;
        const id = lastId;
        waiting.set(id, { resolve, reject });
        socket.send(JSON.stringify({ id, method, params }), (fault) => {
          if (fault) {
            waiting.delete(id);
            reject(fault);
          }
        });
      }),
    close: () => socket.terminate(),
  };
}
