import { Agent } from "node:http";
import { expect } from "chai";
import { createSecureContext } from "node:tls";
import { nativeOptions } from "../../../src/pipeline/delivery/outgoing-request.ts";
import { withClientIdentity } from "../../../src/pipeline/delivery/client-certificates.ts";
import { createAddressGuard } from "../../../src/platform/net/address-guard.ts";
import { aRequest } from "../../support/send-clients.ts";

const agent = new Agent();
const agents = { http: agent, https: agent, inbox: agent, certified: new Agent() };

const guard = createAddressGuard({ areLocalReceiversAllowed: true, allowList: [] });

function optionsOf(href: string) {
  const target = guard.checkUrl(href);
  if (!target.isAllowed) {
    throw new Error(target.detail);
  }
  return { target, native: nativeOptions(target, aRequest(href), agents) };
}

describe("the options of a native request", () => {
  it("come from the URL, with the default port of the scheme", () => {
    const { target, native } = optionsOf("https://receiver.test/a/b?c=d");
    expect(native).to.deep.include({
      protocol: "https:",
      host: "receiver.test",
      port: 443,
      path: "/a/b?c=d",
      method: "POST",
    });
    expect(target.isNamed).to.equal(true);
    expect(optionsOf("http://receiver.test/").native.port).to.equal(80);
  });

  it("use an IPv6 host without brackets for the socket, and with them in Host", () => {
    const { target, native } = optionsOf("https://[2606:4700::1]:8443/");
    expect(native).to.deep.include({ host: "2606:4700::1", port: 8443 });
    expect(native.headers.slice(0, 2)).to.deep.equal(["Host", "[2606:4700::1]:8443"]);
    expect(target.isNamed).to.equal(false);
  });

  it("keep the order and spelling of headers, between Host and Content-Length", () => {
    expect(optionsOf("https://receiver.test/").native.headers).to.deep.equal([
      ...["Host", "receiver.test"],
      ...["Content-Type", "application/JSON"],
      ...["webhook-id", "evt_1"],
      ...["Content-Length", "7"],
    ]);
  });

  it("differ with a certificate only in the agent and the identity", () => {
    const { native } = optionsOf("https://receiver.test/");
    const identity = { fingerprint: "whose", secureContext: createSecureContext() };
    expect(withClientIdentity(native, agents, identity)).to.deep.equal({
      ...native,
      agent: agents.certified,
      secureContext: identity.secureContext,
      identity: "whose",
    });
    expect(native.agent).to.equal(agent);
  });
});
