import { expect } from "chai";
import { buildRequest } from "../../../src/pipeline/delivery/request.ts";
import { newKeyPair } from "../../../src/subscriptions/signing-keys.ts";
import { runCli } from "../../support/cli-shell.ts";

const secret = `whsec_${Buffer.alloc(32, 9).toString("base64")}`;
const other = `whsec_${Buffer.alloc(32, 8).toString("base64")}`;
const keys = newKeyPair((length) => Buffer.alloc(length, 5));
const now = new Date("2026-11-22T10:00:00.000Z");
// Whitespace, an accent and an escape, which would not survive parsing and serializing.
const text =
  '{"event": "update", "object":"ticket","objectId":7,"props":{"name":"é\\u00e9 \'x\'"}}';

/** Requests as built by the production code. */
function sent(secrets: readonly string[], { isAsymmetric = false } = {}) {
  return buildRequest(
    {
      url: "https://receiver.example/hook",
      eventId: "evt_018f",
      sequence: 3,
      attempt: 1,
      body: text,
      secrets,
      headers: [],
      authOptions: isAsymmetric
        ? { hasV1: false, keys: [keys], presets: [], oauth2: null, certificate: null }
        : null,
    },
    now,
  ).request.headers;
}

function inputOf(headers: Record<string, string>, body = text): string {
  return JSON.stringify({ headers, body });
}

function verify(words: readonly string[], input: string, at = now) {
  return runCli(["verify", ...words], { input, now: at });
}

describe("sightline verify", () => {
  it("accepts a request of the platform", async () => {
    const { code, out } = await verify(["--secret", secret], inputOf(sent([secret])));
    expect(out).to.contain("Valid.");
    expect(code).to.equal(0);
  });

  it("accepts either signature during a secret rotation", async () => {
    for (const known of [secret, other]) {
      const { code, out } = await verify(["--secret", known], inputOf(sent([other, secret])));
      expect([code, out.includes("one of 2")]).to.deep.equal([0, true]);
    }
  });

  it("checks ed25519 signatures with the public key", async () => {
    const headers = sent([secret], { isAsymmetric: true });
    const valid = await verify(["--public-key", keys.publicKey], inputOf(headers));
    expect(valid.code, valid.out).to.equal(0);
    const wrong = newKeyPair((length) => Buffer.alloc(length, 6)).publicKey;
    expect((await verify(["--public-key", wrong], inputOf(headers))).code).to.equal(1);
    const bySecret = await verify(["--secret", secret], inputOf(headers));
    expect(bySecret.out).to.contain("give --public-key");
    expect(bySecret.code).to.equal(1);
  });

  it("reports exactly what is wrong", async () => {
    const headers = sent([secret]);
    const { "webhook-id": _id, ...noId } = headers;
    const cases: [string, string, string, Date?][] = [
      ["missing", inputOf(noId), "webhook-id: The header is missing"],
      [
        "old",
        inputOf(headers),
        "301 s old, at most 300 s are allowed",
        new Date(now.getTime() + 301_000),
      ],
      ["early", inputOf(headers), "301 s in the future", new Date(now.getTime() - 301_000)],
      [
        "no time",
        inputOf({ ...headers, "webhook-timestamp": "now" }),
        "not a whole number of seconds",
      ],
      ["id", inputOf({ ...headers, "webhook-id": "evt_x" }), "No signature matches"],
      ["body", inputOf(headers, text.replace("7", "8")), "No signature matches"],
      ["line", inputOf(headers, `${text}\n`), "a line break was added"],
      ["mark", inputOf(headers, `\uFEFF${text}`), "a byte order mark was added"],
      [
        "scheme",
        inputOf({ ...headers, "webhook-signature": "v9,AAAA" }),
        "The header contains only v9",
      ],
    ];
    for (const [name, input, expected, at] of cases) {
      const { code, out } = await verify(["--secret", secret], input, at);
      expect(out, name).to.contain(expected);
      expect(code, name).to.equal(1);
    }
    const { out } = await verify(["--secret", other], inputOf(headers));
    expect(out).to.contain("No signature matches");
  });

  it("detects that a body was parsed and serialized again", async () => {
    const compact = '{"a":1,"b":"x"}';
    const { request } = buildRequest(
      {
        url: "https://receiver.example/",
        eventId: "evt_1",
        sequence: 1,
        attempt: 1,
        body: compact,
        secrets: [secret],
        headers: [],
      },
      now,
    );
    const pretty = JSON.stringify(JSON.parse(compact), null, 2);
    const { code, out } = await verify(["--secret", secret], inputOf(request.headers, pretty));
    expect(out).to.contain("parsed and serialized again");
    expect(code).to.equal(1);
  });

  it("ignores the age of a capture with --tolerance 0", async () => {
    const later = new Date(now.getTime() + 86_400_000);
    const words = ["--secret", secret, "--tolerance", "0"];
    const { code, out } = await verify(words, inputOf(sent([secret])), later);
    expect(out).to.contain("not checked");
    expect(code).to.equal(0);
  });

  it("reads files of headers and body, as lines or JSON", async () => {
    const headers = sent([secret]);
    const lines = Object.entries(headers).map(([name, value]) => `${name.toUpperCase()}: ${value}`);
    for (const file of [
      `POST /hook HTTP/1.1\r\n${lines.join("\r\n")}\r\n`,
      JSON.stringify(headers),
    ]) {
      const words = ["verify", "--secret", secret, "--headers", "h", "--body", "b"];
      const { code, out } = await runCli(words, { files: { h: file, b: text }, now });
      expect(code, out).to.equal(0);
    }
  });

  it("reads a curl command, in the quoting of shells and browsers", async () => {
    const options = Object.entries(sent([secret])).map(([name, value]) => `-H '${name}: ${value}'`);
    const quoted = text.replaceAll("'", String.raw`'\''`);
    const ansi = text
      .replaceAll("\\", "\\\\")
      .replaceAll("'", String.raw`\'`)
      .replaceAll("é", "\\u00e9");
    const double = text.replaceAll("\\", "\\\\").replaceAll('"', String.raw`\"`);
    for (const data of [
      `--data-raw '${quoted}'`,
      `--data-raw $'${ansi}'`,
      `--data-binary "${double}"`,
      `--data='${quoted}'`,
    ]) {
      const curl = `curl -X POST https://receiver.example/ \\\n  ${options.join(" \\\n  ")} \\\n  ${data}\n`;
      const words = ["verify", "--secret", secret, "--curl", "c"];
      const { code, out } = await runCli(words, { files: { c: curl }, now });
      expect(code, `${data}: ${out}`).to.equal(0);
    }
  });

  it("prints the same as JSON", async () => {
    const { code, out } = await verify(["--secret", other, "--json"], inputOf(sent([secret])));
    const result = JSON.parse(out) as {
      genuine: boolean;
      checks: { check: string; good: boolean }[];
    };
    expect(code).to.equal(1);
    expect(result.genuine).to.equal(false);
    expect(result.checks.map(({ check, good: accepted }) => [check, accepted])).to.deep.equal([
      ["time", true],
      ["signature", false],
    ]);
  });

  it("rejects invalid input, and never prints a secret", async () => {
    const cases: [readonly string[], string][] = [
      [[], "Give --secret"],
      [["--secret", "whsec_short"], "A secret is whsec_"],
      [["--public-key", "whpk_AAAA"], "A public key is whpk_"],
      [["--secret", secret, "--headers", "h"], "must be used together"],
      [["--secret", secret, "--tolerance", "soon"], "whole number of seconds"],
    ];
    for (const [words, expected] of cases) {
      const { code, out, err } = await verify(words, inputOf(sent([secret])));
      expect(err).to.contain(expected);
      expect(code, expected).to.equal(2);
      expect(out + err).to.not.contain(secret.slice(6));
    }
    const parsed = JSON.stringify({ headers: sent([secret]), body: { a: 1 } });
    const { code, err } = await verify(["--secret", secret], parsed);
    expect([code, err.includes("exact text")]).to.deep.equal([2, true]);
    const invalid = await verify(["--secret", secret], "nonsense");
    expect([invalid.code, invalid.err]).to.deep.equal([
      2,
      "The captured request is not valid JSON.\n",
    ]);
    const files = { h: "{nonsense", b: text };
    const words = ["verify", "--secret", secret, "--headers", "h", "--body", "b"];
    const invalidHeaders = await runCli(words, { files, now });
    expect([invalidHeaders.code, invalidHeaders.err]).to.deep.equal([
      2,
      "The headers are not valid JSON.\n",
    ]);
  });

  it("reports missing headers, even if an entry of their list is null", async () => {
    const input = JSON.stringify({ headers: [null], body: text });
    const { code, out } = await verify(["--secret", secret], input);
    expect(out).to.contain("webhook-id: The header is missing");
    expect(code).to.equal(1);
  });

  it("reads the secret from the environment, which process lists do not show", async () => {
    const { code } = await runCli(["verify"], {
      env: { SIGHTLINE_SECRET: secret },
      input: inputOf(sent([secret])),
      now,
    });
    expect(code).to.equal(0);
  });
});
