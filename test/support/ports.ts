import { createServer } from "node:net";
import { randomInt } from "node:crypto";

const canBind = async (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen({ port, host: "127.0.0.1", exclusive: true }, () => {
      server.close(() => resolve(true));
    });
  });

/**
 * A port nobody listens on, for a process that cannot be asked which one it took. It lies below
 * the range from which systems hand out ports by themselves, so that between this answer and its
 * use only another caller of this function could take it: one in some ten thousand.
 */
export const findFreePort = async (): Promise<number> => {
  for (let i = 0; i < 100; i += 1) {
    const port = randomInt(12_000, 32_000);
    if (await canBind(port)) {
      return port;
    }
  }
  throw new Error("No free port between 12000 and 32000");
};
