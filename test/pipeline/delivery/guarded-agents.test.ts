import { expect } from "chai";
import { createHttpSendClient } from "../../../src/pipeline/delivery/send.ts";
import { createGuardedAgents } from "../../../src/pipeline/delivery/guarded-agents.ts";
import type { SendClient } from "../../../src/pipeline/delivery/send-result.ts";
import {
  createAddressGuard,
  type AddressGuardOptions,
} from "../../../src/platform/net/address-guard.ts";
import { blockedTargetText } from "../../../src/platform/net/address-rules.ts";
import { createResolver, type LookupAll } from "../../../src/platform/net/resolver.ts";
import { blockedAddresses } from "../../support/blocked-addresses.ts";
import { useReceiver } from "../../support/receiver.ts";
import { aRequest, dnsOf, outcomeOf } from "../../support/send-clients.ts";
import { promised } from "../../support/promised.ts";

/** A resolver without a cache, the worst case for DNS rebinding. */
function uncachedResolver(lookup: LookupAll) {
  return createResolver({ lookup, freshMs: 0, staleMs: 0 });
}

function inUrl(address: string): string {
  return address.includes(":") ? `[${address}]` : address;
}

describe("requests through the guarded agents", () => {
  const hook = useReceiver();
  const open: SendClient[] = [];
  afterEach("close the clients", () => {
    open.splice(0).forEach((client) => client.close());
  });

  const guarded = (
    names: Parameters<typeof dnsOf>[0] = {},
    options: Partial<AddressGuardOptions> = {},
  ) => {
    const guard = createAddressGuard({
      areLocalReceiversAllowed: false,
      allowList: [],
      resolver: uncachedResolver(dnsOf(names)),
      ...options,
    });
    const client = createHttpSendClient({ guard, timeoutMs: 2_000 });
    open.push(client);
    return {
      guard,
      client,
      outcome: async (url: string) => outcomeOf(await client.send(aRequest(url))),
    };
  };

  const nothingArrived = (): void => {
    expect(hook.receiver.connections).to.equal(0);
  };

  for (const [address, meaning] of blockedAddresses) {
    it(`never reach ${address} (${meaning}), named as a literal or by DNS`, async () => {
      const { client, outcome } = guarded({ "name.test": [address] });
      const started = performance.now();
      expect(await outcome(`https://${inUrl(address)}/`)).to.equal("blocked_target");
      const named = await client.send(aRequest("https://name.test/"));
      expect(outcomeOf(named)).to.equal("blocked_target");
      expect(named.kind === "failed" && named.detail).to.equal(blockedTargetText);
      expect(performance.now() - started).to.be.below(promised(500));
    });
  }

  it("never reach a local receiver in any notation of its address", async () => {
    const { outcome } = guarded({ "localtest.test": ["127.0.0.1"], "six.test": ["::1"] });
    const { port } = hook.receiver;
    for (const host of [
      "127.0.0.1",
      "2130706433",
      "0x7f000001",
      "0177.0.0.1",
      "127.1",
      "0",
      "localhost",
      "localhost.",
      "localtest.test",
      "six.test",
      "[::1]",
      "[::ffff:127.0.0.1]",
      "[::127.0.0.1]",
      "[64:ff9b::7f00:1]",
    ]) {
      for (const scheme of ["http", "https"]) {
        const result = await outcome(`${scheme}://${host}:${port}/`);
        expect(result, `${scheme}://${host}`).to.equal("blocked_target");
      }
    }
    nothingArrived();
  });

  it("are refused if a name has one blocked address among allowed ones", async () => {
    const { outcome } = guarded({ "mixed.test": ["8.8.8.8", "127.0.0.1"] });
    expect(await outcome(`https://mixed.test:${hook.receiver.port}/`)).to.equal("blocked_target");
    nothingArrived();
  });

  it("are refused if a name changes between save and connect (DNS rebinding)", async () => {
    let address = "8.8.8.8";
    const { guard, outcome } = guarded({
      "rebind.test": async () => [{ address, family: 4 }],
    });
    const url = `https://rebind.test:${hook.receiver.port}/`;
    expect((await guard.checkResolved(url)).isAllowed).to.equal(true);
    address = "127.0.0.1";
    expect(await outcome(url)).to.equal("blocked_target");
    nothingArrived();
  });

  it("connect to the checked address, even if the name resolves differently each time", async () => {
    let asked = 0;
    const { outcome } = guarded(
      {
        "flip.test": async () => {
          asked += 1;
          return [{ address: asked % 2 === 1 ? "127.0.0.1" : "127.0.0.2", family: 4 }];
        },
      },
      { allowList: [{ cidr: "127.0.0.1/32", port: hook.receiver.port }] },
    );
    const url = `http://flip.test:${hook.receiver.port}/`;
    expect(await outcome(url)).to.equal(200);
    expect(asked).to.equal(1);
    expect(hook.receiver.requests).to.have.length(1);
  });

  it("reach exactly the addresses of an allow list", async () => {
    const { outcome } = guarded(
      { "in.test": ["127.0.0.1"], "out.test": ["127.0.0.2"] },
      { allowList: [{ cidr: "127.0.0.1/32", port: hook.receiver.port }] },
    );
    const { port } = hook.receiver;
    expect(await outcome(`http://127.0.0.1:${port}/`)).to.equal(200);
    expect(await outcome(`http://in.test:${port}/`)).to.equal(200);
    expect(await outcome(`http://127.0.0.2:${port}/`)).to.equal("blocked_target");
    expect(await outcome(`http://out.test:${port}/`)).to.equal("blocked_target");
    expect(hook.receiver.requests).to.have.length(2);
  });

  describe("with the inbox as the only exception", () => {
    const withInbox = (options: Partial<AddressGuardOptions> = {}) =>
      guarded(
        { "localtest.test": ["127.0.0.1"] },
        { inboxPrefix: `http://127.0.0.1:${hook.receiver.port}/inbox/`, ...options },
      );

    it("reach the inbox", async () => {
      const { outcome } = withInbox();
      expect(await outcome(`http://127.0.0.1:${hook.receiver.port}/inbox/key`)).to.equal(200);
      expect(hook.receiver.requests[0]?.path).to.equal("/inbox/key");
    });

    it("reach no other path of that server", async () => {
      const { outcome } = withInbox();
      const base = `http://127.0.0.1:${hook.receiver.port}`;
      for (const path of [
        "/api/token",
        "/inbox/../api/token",
        "/inbox/%2e%2e/api/token",
        "/inbox/..%2fapi",
        "/inbox\\..\\api",
        "/inbox/key/../../api",
        "//inbox/key",
      ]) {
        expect(await outcome(`${base}${path}`), path).to.equal("blocked_target");
      }
      nothingArrived();
    });

    it("cannot use its pooled connections through another name or address class", async () => {
      const { port } = hook.receiver;
      const { outcome } = withInbox({ allowList: [{ cidr: "10.0.0.0/8", port }] });
      expect(await outcome(`http://127.0.0.1:${port}/inbox/key`)).to.equal(200);
      for (const url of [
        `http://localtest.test:${port}/inbox/key`,
        `http://localhost:${port}/inbox/key`,
        `http://127.0.0.1:${port}/api/token`,
        `https://localtest.test:${port}/inbox/key`,
      ]) {
        expect(await outcome(url), url).to.equal("blocked_target");
      }
      expect(hook.receiver.requests).to.have.length(1);
      expect(hook.receiver.connections).to.equal(1);
    });
  });

  it("reach local receivers in development, if allowed", async () => {
    const { outcome } = guarded({}, { areLocalReceiversAllowed: true });
    expect(await outcome(hook.receiver.url)).to.equal(200);
    expect(await outcome("http://169.254.169.254/latest/meta-data")).to.equal("blocked_target");
  });
});

describe("a single guarded agent", () => {
  const agents = createGuardedAgents({
    guard: createAddressGuard({ areLocalReceiversAllowed: false, allowList: [] }),
    connectTimeoutMs: 1_000,
  });
  after("close the agents", () => agents.close());

  const dial = async (dnsPool: "http" | "https" | "inbox", options: object): Promise<unknown> =>
    new Promise((resolve) => {
      const socket = agents.keepAlive[dnsPool].createConnection(options);
      socket?.once("error", resolve);
    });

  for (const addressClass of ["http", "https", "inbox"] as const) {
    it(`(${addressClass}) refuses a literal, a path and an empty host, for every caller`, async () => {
      for (const options of [
        { host: "127.0.0.1", port: 443 },
        { host: "[::1]", port: 443 },
        { socketPath: "/var/run/docker.sock", host: "receiver.test", port: 443 },
        { port: 443 },
      ]) {
        expect(await dial(addressClass, options)).to.have.property("code", "ESSRF");
      }
    });
  }
});
