import { expect } from "chai";
import { clientNetwork, networkBlock } from "../../../src/platform/net/client-network.ts";

describe("client network", () => {
  for (const [address, network] of [
    ["203.0.113.9", "203.0.113.9"],
    ["::ffff:203.0.113.9", "203.0.113.9"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:db8:1:2:ffff::1", "2001:db8:1:2::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    ["nonsense", "unknown"],
    [undefined, "unknown"],
  ] as const) {
    it(`takes ${address ?? "no address"} as the client ${network}`, () => {
      expect(clientNetwork(address)).to.equal(network);
    });
  }

  for (const [network, block] of [
    ["203.0.113.9", "203.0.113.0/24"],
    ["2001:db8:1:2::/64", "2001:db8:1::/48"],
    ["fe80:0:0:0::/64", "fe80:0:0::/48"],
    ["unknown", "unknown"],
  ] as const) {
    it(`counts ${network} to the block ${block}`, () => {
      expect(networkBlock(network)).to.equal(block);
    });
  }
});
