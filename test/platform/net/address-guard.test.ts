import type { LookupAddress } from "node:dns";
import { expect } from "chai";
import {
  createAddressGuard,
  BlockedTargetError,
  type AddressGuardOptions,
} from "../../../src/platform/net/address-guard.ts";
import type { UrlVerdict } from "../../../src/platform/net/address-rules.ts";
import { createResolver, DnsError } from "../../../src/platform/net/resolver.ts";
import { blockedAddresses, publicAddresses } from "../../support/blocked-addresses.ts";

type Names = Record<string, readonly string[]>;

function toLookup(address: string): LookupAddress {
  return { address, family: address.includes(":") ? 6 : 4 };
}

function resolverOf(names: Names) {
  return createResolver({
    lookup: async (hostname) => {
      const found = names[hostname];
      if (found === undefined) {
        throw Object.assign(new Error("not found"), { code: "ENOTFOUND" });
      }
      return found.map(toLookup);
    },
  });
}

function guardOf(options: Partial<AddressGuardOptions> = {}, names: Names = {}) {
  return createAddressGuard({
    areLocalReceiversAllowed: false,
    allowList: [],
    resolver: resolverOf(names),
    ...options,
  });
}

function reasonOf(verdict: UrlVerdict): string {
  return verdict.isAllowed ? "allowed" : verdict.reason;
}

const inUrl = (address: string) => (address.includes(":") ? `[${address}]` : address);

describe("the address guard without exceptions", () => {
  for (const [address, meaning] of blockedAddresses) {
    it(`refuses ${address} (${meaning}) as a literal, behind a name, and at connect time`, async () => {
      const guard = guardOf({}, { "name.test": [address] });
      expect(reasonOf(guard.checkUrl(`https://${inUrl(address)}/`))).to.equal("blocked_target");
      expect(reasonOf(await guard.checkResolved("https://name.test/"))).to.equal("blocked_target");
      expect(guard.isAddressAllowed(address, 443, "https")).to.equal(false);
    });
  }

  for (const address of publicAddresses) {
    it(`allows ${address} as a literal, behind a name, and at connect time`, async () => {
      const guard = guardOf({}, { "name.test": [address] });
      expect(reasonOf(guard.checkUrl(`https://${inUrl(address)}/hook`))).to.equal("allowed");
      expect(reasonOf(await guard.checkResolved("https://name.test/"))).to.equal("allowed");
      expect(guard.isAddressAllowed(address, 443, "https")).to.equal(true);
      expect(guard.isAddressAllowed(address, 443, "http")).to.equal(false);
    });
  }

  for (const notation of [
    "https://2130706433/",
    "https://0x7f000001/",
    "https://0x7f.1/",
    "https://0177.0.0.1/",
    "https://127.1/",
    "https://127.0.0.1./",
    "https://１２７.0.0.1/",
    "https://127。0。0。1/",
    "https:\\\\127.0.0.1/",
    "https:127.0.0.1/",
    "https://%31%32%37.0.0.1/",
    "https://0/",
    "https://[::ffff:127.0.0.1]/",
    "https://[0:0:0:0:0:ffff:7f00:1]/",
    "https://localhost/",
    "https://LOCALHOST./",
    "https://a.b.localhost/",
    "https://ⓛocalhost/",
  ]) {
    it(`sees loopback in ${notation}`, () => {
      expect(reasonOf(guardOf().checkUrl(notation))).to.equal("blocked_target");
    });
  }

  const refused: readonly (readonly [url: string, reason: string])[] = [
    ["http://receiver.example/", "scheme"],
    ["http://8.8.8.8/", "scheme"],
    ["ftp://receiver.example/", "scheme"],
    ["unix:/var/run/docker.sock", "scheme"],
    ["javascript:alert(1)", "scheme"],
    ["https://user@receiver.example/", "userinfo"],
    ["https://user:secret@receiver.example/", "userinfo"],
    ["https://receiver.example/#part", "fragment"],
    ["https://receiver.example/#", "fragment"],
    ["https://receiver.example:22/", "port"],
    ["https://receiver.example:25/", "port"],
    ["https://receiver.example:6379/", "port"],
    ["https://8.8.8.8:5432/", "port"],
    ["https://[fe80::1%25eth0]/", "format"],
    ["https://receiver example/", "format"],
    ["https://", "format"],
    ["/hook", "format"],
    ["", "format"],
    [`https://receiver.example/${"a".repeat(2048)}`, "format"],
  ];
  for (const [url, reason] of refused) {
    it(`refuses ${url.slice(0, 60)} for its ${reason}`, () => {
      expect(reasonOf(guardOf().checkUrl(url))).to.equal(reason);
    });
  }

  it("returns the normalised URL and its parts", () => {
    const verdict = guardOf().checkUrl("HTTPS://Receiver.Example:443/a/../hook?x=1");
    expect(verdict).to.deep.equal({
      ...{ isAllowed: true, href: "https://receiver.example/hook?x=1", addressClass: "https" },
      ...{ protocol: "https:", host: "receiver.example", isNamed: true, port: 443 },
      ...{ path: "/hook?x=1", hostHeader: "receiver.example" },
    });
  });

  it("parses a URL once, and checks a refused one again", () => {
    const guard = guardOf();
    const first = guard.checkUrl("https://receiver.example/");
    expect(guard.checkUrl("https://receiver.example/")).to.equal(first);
    expect(reasonOf(guard.checkUrl("https://127.0.0.1/"))).to.equal("blocked_target");
    expect(reasonOf(guard.checkUrl("https://127.0.0.1/"))).to.equal("blocked_target");
  });

  it("reveals nothing about the address: one text for every blocked target", async () => {
    const guard = guardOf({}, { "name.test": ["10.0.0.1"] });
    const texts = [
      guard.checkUrl("https://127.0.0.1/"),
      guard.checkUrl("https://169.254.169.254/latest"),
      await guard.checkResolved("https://name.test/"),
    ].map((verdict) => (verdict.isAllowed ? "" : verdict.detail));
    expect(new Set(texts).size).to.equal(1);
    expect(texts[0]).to.not.match(/\d/u);
  });

  it("refuses a name with one blocked address among public ones", async () => {
    const guard = guardOf({}, { "mixed.test": ["8.8.8.8", "127.0.0.1"] });
    expect(reasonOf(await guard.checkResolved("https://mixed.test/"))).to.equal("blocked_target");
    const failure = await guard
      .resolve("mixed.test", 443, "https")
      .catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(BlockedTargetError);
    expect(failure).to.have.property("code", "ESSRF");
  });

  it("refuses a name without any address", async () => {
    const guard = guardOf({}, { "empty.test": [] });
    const failure = await guard
      .resolve("empty.test", 443, "https")
      .catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(BlockedTargetError);
  });

  it("accepts an unresolvable name at save, and refuses it at connect", async () => {
    const guard = guardOf();
    expect(reasonOf(await guard.checkResolved("https://later.test/"))).to.equal("allowed");
    const failure = await guard
      .resolve("later.test", 443, "https")
      .catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(DnsError);
  });

  it("returns the addresses of a public name", async () => {
    const guard = guardOf({}, { "name.test": ["8.8.8.8", "2606:4700::1111"] });
    expect(await guard.resolve("name.test", 443, "https")).to.deep.equal([
      { address: "8.8.8.8", family: 4 },
      { address: "2606:4700::1111", family: 6 },
    ]);
  });
});

describe("the address guard with local receivers allowed", () => {
  const guard = guardOf({ areLocalReceiversAllowed: true }, { "dev.test": ["192.168.1.5"] });

  it("allows loopback and private addresses, even over http, on web ports", async () => {
    for (const url of [
      "http://127.0.0.1:8080/hook",
      "http://localhost:3000/",
      "https://10.1.2.3/",
      "http://[::1]:5000/",
      "http://dev.test:5432/",
    ]) {
      expect(reasonOf(await guard.checkResolved(url)), url).to.equal("allowed");
    }
    expect(guard.isAddressAllowed("127.0.0.1", 6379, "http")).to.equal(true);
  });

  it("still refuses metadata, link-local, low ports, and http to the public", async () => {
    const named = guardOf(
      { areLocalReceiversAllowed: true },
      { "meta.test": ["169.254.169.254"], "public.test": ["8.8.8.8"] },
    );
    const refused: readonly (readonly [url: string, reason: string])[] = [
      ["http://169.254.169.254/", "blocked_target"],
      ["http://[fd00:ec2::254]/", "blocked_target"],
      ["http://[::ffff:127.0.0.1]:8080/", "blocked_target"],
      ["http://0.0.0.0:8080/", "blocked_target"],
      ["http://127.0.0.1:22/", "port"],
      ["http://8.8.8.8/", "blocked_target"],
      ["http://meta.test/", "blocked_target"],
      ["http://public.test/", "blocked_target"],
    ];
    for (const [url, reason] of refused) {
      expect(reasonOf(await named.checkResolved(url)), url).to.equal(reason);
    }
  });

  it("still allows public addresses over https on public ports only", () => {
    expect(reasonOf(guard.checkUrl("https://8.8.8.8/"))).to.equal("allowed");
    expect(guard.isAddressAllowed("8.8.8.8", 5432, "https")).to.equal(false);
  });
});

describe("the address guard with an allow list", () => {
  const names = {
    "in.test": ["10.1.2.3"],
    "out.test": ["10.2.0.1"],
    "half.test": ["10.1.0.1", "10.2.0.1"],
  };
  const guard = guardOf(
    {
      allowList: [
        { cidr: "10.1.0.0/16", port: 8080 },
        { cidr: "fd00::/16", port: 443 },
      ],
    },
    names,
  );

  it("allows the listed ranges, by literal and by name, over http and https", async () => {
    for (const url of [
      "http://10.1.2.3:8080/",
      "https://10.1.2.3:8080/",
      "https://[fd00::1]/",
      "http://in.test:8080/",
    ]) {
      expect(reasonOf(await guard.checkResolved(url)), url).to.equal("allowed");
    }
  });

  it("refuses another port or address, and a name that is partly outside", async () => {
    const refused: readonly (readonly [url: string, reason: string])[] = [
      ["https://10.1.2.3/", "blocked_target"],
      ["http://10.1.2.3:8081/", "port"],
      ["http://10.2.0.1:8080/", "blocked_target"],
      ["http://out.test:8080/", "blocked_target"],
      ["http://half.test:8080/", "blocked_target"],
      ["http://127.0.0.1:8080/", "blocked_target"],
      ["http://[::ffff:10.1.2.3]:8080/", "blocked_target"],
    ];
    for (const [url, reason] of refused) {
      expect(reasonOf(await guard.checkResolved(url)), url).to.equal(reason);
    }
  });
});

describe("the address guard with the inbox", () => {
  const names = { "localtest.test": ["127.0.0.1"] };
  const guard = guardOf({ inboxPrefix: "http://127.0.0.1:3000/inbox/" }, names);

  it("allows the inbox as its own address class", () => {
    expect(guard.checkUrl("http://127.0.0.1:3000/inbox/abc123?x=1")).to.deep.include({
      isAllowed: true,
      href: "http://127.0.0.1:3000/inbox/abc123?x=1",
      addressClass: "inbox",
    });
  });

  it("allows no other loopback address", async () => {
    for (const url of [
      "http://127.0.0.1:3000/api/tickets",
      "http://127.0.0.1:3001/inbox/abc123",
      "https://127.0.0.1:3000/inbox/abc123",
      "http://localhost:3000/inbox/abc123",
      "https://localtest.test:3000/inbox/abc123",
    ]) {
      expect((await guard.checkResolved(url)).isAllowed, url).to.equal(false);
    }
    expect(guard.isAddressAllowed("127.0.0.1", 3000, "inbox")).to.equal(true);
    expect(guard.isAddressAllowed("127.0.0.1", 3001, "inbox")).to.equal(false);
    expect(guard.isAddressAllowed("127.0.0.1", 3000, "https")).to.equal(false);
    expect(guard.isAddressAllowed("127.0.0.1", 3000, "http")).to.equal(false);
  });

  it("resolves no name in its address class", async () => {
    const failure = await guard
      .resolve("localtest.test", 3000, "inbox")
      .catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(BlockedTargetError);
  });
});
