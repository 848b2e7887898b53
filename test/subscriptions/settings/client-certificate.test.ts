import { createPrivateKey, generateKeyPairSync, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect } from "chai";
import { Problem } from "../../../src/contracts/problems.ts";
import {
  mergeCertificate,
  maskCertificate,
  type CertificateInput,
} from "../../../src/subscriptions/settings/client-certificate.ts";

function read(name: string): string {
  return readFileSync(new URL(`../../fixtures/tls/${name}`, import.meta.url), "utf8");
}

const own = { certificate: read("client-a.pem"), key: read("client-a.key") };
const staying = { hasMoved: false, now: new Date("2026-11-22T12:00:00Z") };
const moving = { ...staying, hasMoved: true };

function store(input: CertificateInput, context = staying) {
  const stored = mergeCertificate(input, null, context);
  if (stored === null) {
    throw new Error("nothing was stored");
  }
  return stored;
}

function faultOf(work: () => unknown): unknown {
  try {
    work();
  } catch (thrown) {
    return thrown instanceof Problem ? thrown.errors[0] : thrown;
  }
  return undefined;
}

describe("client certificate of a webhook", () => {
  it("is stored with its key and authority, and shown without the key", () => {
    const stored = store({ ...own, ca: read("client-ca.pem") });
    expect(new X509Certificate(stored.certificate).subject).to.equal("CN=client-a");
    expect(stored.key).to.match(/^-----BEGIN PRIVATE KEY-----\n/u);
    const shown = maskCertificate(stored);
    expect(shown).to.deep.equal({
      certificate: stored.certificate,
      subject: "CN=client-a",
      expires: "2099-01-01T00:00:00+00:00",
      key: "••••",
      ca: stored.ca,
    });
  });

  it("keeps the key if the masked one is sent back", () => {
    const stored = store(own);
    expect(mergeCertificate(maskCertificate(stored), stored, staying)).to.deep.equal(stored);
    expect(mergeCertificate(undefined, stored, staying)).to.equal(stored);
    expect(mergeCertificate(null, stored, moving)).to.equal(null);
  });

  it("rejects RSA keys that are slow enough to delay other deliveries", () => {
    const key = read("rsa-8192.key");
    expect(createPrivateKey(key).asymmetricKeyDetails).to.include({ modulusLength: 8_192 });
    expect(faultOf(() => store({ ...own, key }))).to.deep.equal({
      field: "clientCertificate.key",
      reason: "length",
    });
  });

  it("checks the stored key against a new certificate", () => {
    const other = { certificate: read("client-b.pem"), key: "••••" };
    expect(faultOf(() => mergeCertificate(other, store(own), staying))).to.deep.equal({
      field: "clientCertificate.key",
      reason: "mismatch",
    });
  });

  it("is not used at another origin unless its key is sent again", () => {
    const stored = store(own);
    const refused = { field: "clientCertificate", reason: "masked" };
    expect(faultOf(() => mergeCertificate(undefined, stored, moving))).to.deep.equal(refused);
    const shown = maskCertificate(stored);
    expect(faultOf(() => mergeCertificate(shown, stored, moving))).to.deep.equal(refused);
    expect(mergeCertificate(own, stored, moving)).to.deep.equal(stored);
  });

  it("may be a chain that starts with the platform's certificate", () => {
    const chain = { ...own, certificate: own.certificate + read("client-ca.pem") };
    const { certificate } = store(chain);
    expect(certificate.match(/BEGIN CERTIFICATE/gu)).to.have.length(2);
    expect(maskCertificate(store(chain)).subject).to.equal("CN=client-a");
    const reversed = { ...own, certificate: read("client-ca.pem") + own.certificate };
    expect(faultOf(() => store(reversed))).to.deep.include({ reason: "mismatch" });
  });

  it("drops the text around a certificate", () => {
    const commented = { ...own, certificate: `subject=CN = a\n${own.certificate}\nbye` };
    expect(store(commented)).to.deep.equal(store(own));
  });

  it("is refused beside another block, with an error that does not forbid text around it", () => {
    for (const member of ["certificate", "ca"] as const) {
      const input = { ...own, [member]: `${own.certificate}${own.key}` };
      expect(() => store(input)).to.throw(
        `clientCertificate.${member} must be PEM with 1 to 10 certificates and no other block, such as a key.`,
      );
    }
  });

  const { privateKey: short } = generateKeyPairSync("rsa", { modulusLength: 1024 });
  const { privateKey: locked } = generateKeyPairSync("ed25519", {
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: {
      type: "pkcs8",
      format: "pem",
      cipher: "aes-256-cbc",
      passphrase: "secret",
    },
  });
  for (const [what, input, member, reason] of [
    ["no certificate", { ...own, certificate: "hello" }, "certificate", "format"],
    [
      "a key in the certificate, which is shown",
      { ...own, certificate: own.certificate + own.key },
      "certificate",
      "format",
    ],
    [
      "a certificate that is damaged",
      { ...own, certificate: own.certificate.replace(/\n[^-]{30}/u, "\n") },
      "certificate",
      "format",
    ],
    [
      "a chain that is too long",
      { ...own, certificate: own.certificate.repeat(11) },
      "certificate",
      "format",
    ],
    ["no key", { ...own, key: own.certificate }, "key", "format"],
    ["a key with a passphrase", { ...own, key: locked }, "key", "format"],
    ["another one's key", { ...own, key: read("client-b.key") }, "key", "mismatch"],
    [
      "a key of another kind",
      { ...own, key: short.export({ type: "pkcs8", format: "pem" }).toString() },
      "key",
      "mismatch",
    ],
    [
      "an expired one",
      { certificate: read("expired.pem"), key: read("server.key") },
      "certificate",
      "expired",
    ],
    ["an authority that is none", { ...own, ca: "x" }, "ca", "format"],
    ["a masked key where none is stored", { ...own, key: "••••" }, "key", "masked"],
  ] as const) {
    it(`refuses ${what}`, () => {
      const fault = faultOf(() => store(input));
      expect(fault).to.deep.equal({ field: `clientCertificate.${member}`, reason });
    });
  }
});
