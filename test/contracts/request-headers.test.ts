import { expect } from "chai";
import {
  isGeneratedHeader,
  isReservedHeader,
  maskRequestHeaders,
  maskResponseHeaders,
  headerPresets,
  signaturePresets,
} from "../../src/contracts/request-headers.ts";
import { buildRequestFor } from "../../src/pipeline/delivery/request.ts";

const event = { eventId: "evt_1", sequence: 1, attempt: 1, body: "{}", isReplay: true };
const target = {
  url: "https://receiver.example/",
  headers: [],
  secrets: [{ secret: `whsec_${Buffer.alloc(24, 1).toString("base64")}`, until: null }],
  authOptions: {
    hasV1: true,
    keys: [],
    presets: [...headerPresets],
    oauth2: null,
    certificate: null,
  },
};

describe("headers of a request to a receiver", () => {
  const sent = Object.keys(buildRequestFor(target as never, event, new Date(0)).request.headers);

  it("are shown unmasked, those of presets too", () => {
    expect(sent.filter((name) => !isGeneratedHeader(name))).to.deep.equal([]);
    for (const preset of headerPresets) {
      expect(sent).to.include(signaturePresets[preset].header);
    }
  });

  it("are reserved, except those of presets that are off", () => {
    const presets = headerPresets.map((preset) => signaturePresets[preset].header);
    const open = sent.filter((name) => !isReservedHeader(name));
    expect(open).to.have.members(presets);
  });

  it("that are custom never count as generated", () => {
    for (const name of ["Authorization", "X-Key", "X-Content-Key", "Content-", "Webhook-"]) {
      expect(isGeneratedHeader(name), name).to.equal(false);
    }
  });
});

describe("headers of an attempt", () => {
  it("show generated headers and mask all others", () => {
    const shown = maskRequestHeaders({
      "Content-Type": "application/JSON",
      "User-Agent": "Sightline Cloud",
      "webhook-id": "evt_1",
      "X-Key": "secret",
      Authorization: "Bearer secret",
    });
    expect(shown).to.deep.equal({
      "Content-Type": "application/JSON",
      "User-Agent": "Sightline Cloud",
      "webhook-id": "evt_1",
      "X-Key": "••••",
      Authorization: "••••",
    });
  });

  it("mask the receiver's cookies", () => {
    const shown = maskResponseHeaders({ "set-cookie": "sid=1", server: "nginx" });
    expect(shown).to.deep.equal({ "set-cookie": "••••", server: "nginx" });
  });
});
