import { expect } from "chai";
import {
  isLocalAddress,
  isPublicAddress,
  isPublicPort,
  isWebPort,
  parseAddress,
} from "../../../src/platform/net/address-rules.ts";
import { blockedAddresses, publicAddresses } from "../../support/blocked-addresses.ts";

function parse(text: string) {
  const address = parseAddress(text);
  if (address === undefined) {
    throw new Error(`${text} is no address`);
  }
  return address;
}

describe("address classes", () => {
  for (const [text, meaning] of blockedAddresses) {
    it(`do not count ${text} (${meaning}) as public`, () => {
      expect(isPublicAddress(parse(text))).to.equal(false);
    });
  }

  for (const text of publicAddresses) {
    it(`count ${text} as public and not as local`, () => {
      expect(isPublicAddress(parse(text))).to.equal(true);
      expect(isLocalAddress(parse(text))).to.equal(false);
    });
  }

  it("count loopback and private networks as local", () => {
    for (const text of ["127.0.0.1", "127.9.9.9", "10.1.2.3", "172.16.0.1", "192.168.1.1"]) {
      expect(isLocalAddress(parse(text)), text).to.equal(true);
    }
    for (const text of ["::1", "fd12:3456::1"]) {
      expect(isLocalAddress(parse(text)), text).to.equal(true);
    }
  });

  it("never count metadata, link-local or embedded addresses as local", () => {
    for (const text of [
      "169.254.169.254",
      "fd00:ec2::254",
      "100.100.100.200",
      "168.63.129.16",
      "fe80::1",
      "0.0.0.0",
      "::",
      "::ffff:127.0.0.1",
      "::127.0.0.1",
      "64:ff9b::7f00:1",
    ]) {
      expect(isLocalAddress(parse(text)), text).to.equal(false);
    }
  });

  it("accept the plain notation only", () => {
    for (const text of ["127.1", "0x7f000001", "2130706433", "0177.0.0.1", "fe80::1%eth0", ""]) {
      expect(parseAddress(text), text).to.equal(undefined);
    }
  });
});

describe("ports", () => {
  it("of the web and above 1023 are allowed, except those of databases and control interfaces", () => {
    for (const port of [443, 80, 1024, 8080, 8443, 65535]) {
      expect(isPublicPort(port), String(port)).to.equal(true);
    }
    for (const port of [
      0, 21, 22, 23, 25, 53, 110, 143, 389, 445, 465, 587, 1023, 2375, 2376, 3306, 5432, 6379, 9200,
      9300, 11211, 27017,
    ]) {
      expect(isPublicPort(port), String(port)).to.equal(false);
    }
  });

  it("of databases are allowed for local receivers, low ones are not", () => {
    expect(isWebPort(5432)).to.equal(true);
    expect(isWebPort(25)).to.equal(false);
  });
});
