import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/**
 * A port nobody listens on, below the range that systems hand out by themselves: in that range a
 * client that retries while the server is down can, by bad luck, connect to itself and keep it.
 */
export async function findFreePort(
  host = "127.0.0.1",
  [from, to]: readonly [number, number] = [12_000, 32_000],
): Promise<number> {
  for (let i = 0; i < 100; i += 1) {
    const port = randomInt(from, to);
    if (await canBind(port, host)) {
      return port;
    }
  }
  throw new Error(`No free port between ${from} and ${to} on ${host}`);
}

async function canBind(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen({ port, host, exclusive: true }, () => {
      server.close(() => resolve(true));
    });
  });
}
