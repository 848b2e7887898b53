import { findFreePort } from "../../src/embedded/supervisor/formation.ts";

/** Each worker has a separate range of ports, below the system's ephemeral ports. */
const [firstPort, portsOfWorker, parts] = [12_000, 2_500, 8];

const reserved = new Set<number>();

/**
 * A free port that no other test of this run gets. The result is reserved, because a process takes
 * a second or two until it listens.
 */
export async function freePort(): Promise<number> {
  const from = firstPort + (Number(process.env["MOCHA_WORKER_ID"] ?? 0) % parts) * portsOfWorker;
  for (;;) {
    const port = await findFreePort("127.0.0.1", [from, from + portsOfWorker]);
    if (!reserved.has(port)) {
      reserved.add(port);
      return port;
    }
  }
}
