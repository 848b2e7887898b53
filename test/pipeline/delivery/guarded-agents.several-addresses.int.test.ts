import { expect } from "chai";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import net from "node:net";
import { createHttpSendClient } from "../../../src/pipeline/delivery/send.ts";
import { createAddressGuard } from "../../../src/platform/net/address-guard.ts";
import { createResolver } from "../../../src/platform/net/resolver.ts";
import { eventually } from "../../support/eventually.ts";
import { aRequest, dnsOf, outcomeOf } from "../../support/send-clients.ts";

const address = "127.0.0.2";

/** A receiver on `address` that accepts nobody: its process is stopped, and its queue full. */
async function aFullReceiver() {
  const script = `
    const server = require("node:http").createServer((_, response) => response.end("ok"));
    server.listen({ port: 0, host: "${address}", backlog: 1 }, () =>
      process.stdout.write(String(server.address().port)));`;
  const child = spawn(process.execPath, ["--eval", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  const port = Number(line.toString());
  child.kill("SIGSTOP");
  const waiting = [net.connect(port, address), net.connect(port, address)];
  await Promise.all(waiting.map((socket) => once(socket, "connect")));
  return {
    port,
    goOn: () => child.kill("SIGCONT"),
    close: () => {
      waiting.forEach((socket) => socket.destroy());
      child.kill("SIGKILL");
    },
  };
}

/** Whether the kernel has sent a SYN to the port of `address` that is not answered yet. */
async function isConnecting(port: number): Promise<boolean> {
  const remote = `0200007F:${port.toString(16).toUpperCase().padStart(4, "0")} 02`;
  return (await readFile("/proc/net/tcp", "utf8")).includes(remote);
}

describe("a receiver with several addresses", () => {
  it("is reached by the first, although its first SYN is lost and the second refuses", async () => {
    const receiver = await aFullReceiver();
    const guard = createAddressGuard({
      areLocalReceiversAllowed: true,
      allowList: [],
      resolver: createResolver({ lookup: dnsOf({ "two.test": [address, "127.0.0.1"] }) }),
    });
    const client = createHttpSendClient({ guard, timeoutMs: 30_000, connectTimeoutMs: 20_000 });
    try {
      const sending = client.send(aRequest(`http://two.test:${receiver.port}/`));
      await eventually(async () => isConnecting(receiver.port));
      receiver.goOn();
      expect(outcomeOf(await sending)).to.equal(200);
    } finally {
      client.close();
      receiver.close();
    }
  });
});
