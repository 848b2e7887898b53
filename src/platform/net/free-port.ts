import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";

/** A port that nobody listens on right now. Somebody may take it before the caller does. */
export const findFreePort = async (host: string): Promise<number> => {
  const server = createServer().listen(0, host);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
};
