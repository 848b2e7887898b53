import { expect } from "chai";
import type { OAuth2Client } from "../../../src/contracts/subscriptions.ts";
import type { SendResult } from "../../../src/pipeline/delivery/send-result.ts";
import { parseTokenResponse, tokenRequest } from "../../../src/pipeline/delivery/oauth2-tokens.ts";
import { anOAuth2Client } from "../../support/oauth2-server.ts";

function formOf(client: OAuth2Client): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(tokenRequest(client, 1_000).body.toString("utf8")));
}

describe("a token request", () => {
  it("sends client credentials with scope and audience, as a form", () => {
    const request = tokenRequest(
      anOAuth2Client({ scope: "a b", audience: "https://crm.test/" }),
      1_000,
    );
    expect(request.url).to.equal("https://login.test/token");
    expect(request.headers["Content-Type"]).to.equal("application/x-www-form-urlencoded");
    expect(request.body.toString("utf8")).to.equal(
      "grant_type=client_credentials&scope=a+b&audience=https%3A%2F%2Fcrm.test%2F",
    );
  });

  it("form-encodes id and secret in the header, as RFC 6749, 2.3.1 requires", () => {
    const client = anOAuth2Client({ clientId: "me:you", clientSecret: "p+s %/é" });
    const { Authorization = "" } = tokenRequest(client, 1_000).headers;
    const pair = Buffer.from(Authorization.slice("Basic ".length), "base64").toString("utf8");
    expect(pair).to.equal("me%3Ayou:p%2Bs+%25%2F%C3%A9");
    expect(formOf(client)).to.deep.equal({ grant_type: "client_credentials" });
  });

  it("sends them in the form if the server requires it, without the header", () => {
    const client = anOAuth2Client({ authentication: "form", clientSecret: "p+s %/é" });
    expect(formOf(client)).to.deep.equal({
      grant_type: "client_credentials",
      client_id: "crm",
      client_secret: "p+s %/é",
    });
    expect(tokenRequest(client, 1_000).headers).to.not.have.property("Authorization");
  });
});

function answered(status: number, body: unknown): SendResult {
  return {
    kind: "answered",
    status,
    headers: {},
    body: typeof body === "string" ? body : JSON.stringify(body),
    durationMs: 1,
    phases: { total: 1 },
  };
}

const valid = { access_token: "t0ken", token_type: "Bearer", expires_in: 60 };

function reasonOf(result: SendResult): string {
  const reading = parseTokenResponse(result);
  return reading.kind === "none" ? reading.reason : `a token: ${reading.token}`;
}

describe("the answer of a token server", () => {
  it("contains the token and its lifetime", () => {
    expect(parseTokenResponse(answered(200, valid))).to.deep.equal({
      kind: "token",
      token: "t0ken",
      lifetimeMs: 60_000,
    });
    const lifetimeOf = (expires_in: unknown) =>
      parseTokenResponse(answered(200, { ...valid, token_type: "bearer", expires_in }));
    expect(lifetimeOf("90")).to.include({ lifetimeMs: 90_000 });
    expect(lifetimeOf(0)).to.include({ lifetimeMs: 0 });
    expect(lifetimeOf(undefined)).to.include({ lifetimeMs: 300_000 });
    expect(lifetimeOf(1e9)).to.include({ lifetimeMs: 86_400_000 });
  });

  const faulty: readonly (readonly [meaning: string, body: unknown, says: RegExp])[] = [
    ["no JSON", "<html>s3cret</html>", /not JSON/u],
    ["no object", "null", /not JSON/u],
    ["no token", { ...valid, access_token: undefined }, /no valid access_token/u],
    ["a token that is no text", { ...valid, access_token: 7 }, /no valid access_token/u],
    [
      "a token that breaks the header",
      { ...valid, access_token: "a\r\nX: b" },
      /no valid access_token/u,
    ],
    [
      "a token longer than a header",
      { ...valid, access_token: "a".repeat(9_000) },
      /no valid access_tok/u,
    ],
    ["an empty token", { ...valid, access_token: "" }, /no valid access_token/u],
    ["another type", { ...valid, token_type: "mac" }, /token_type/u],
    ["no type", { ...valid, token_type: undefined }, /token_type/u],
    ["an odd lifetime", { ...valid, expires_in: "soon" }, /expires_in/u],
    ["a lifetime below zero", { ...valid, expires_in: -1 }, /expires_in/u],
  ];
  for (const [meaning, body, says] of faulty) {
    it(`is an error if there is ${meaning}`, () => {
      const reason = reasonOf(answered(200, body));
      expect(reason).to.match(says);
      expect(reason).to.not.match(/s3cret|t0ken/u);
    });
  }

  it("reports standard error codes, and quotes no other text", () => {
    const refused = { error: "invalid_client", error_description: "s3cret is wrong" };
    expect(reasonOf(answered(401, refused))).to.equal(
      "the token server responded with 401 (invalid_client)",
    );
    expect(reasonOf(answered(400, { error: "s3cret" }))).to.equal(
      "the token server responded with 400",
    );
    expect(reasonOf(answered(302, ""))).to.equal("the token server responded with 302");
    expect(reasonOf(answered(500, valid))).to.equal("the token server responded with 500");
  });

  it("reports why there was none", () => {
    const failed: SendResult = {
      kind: "failed",
      failure: "dns",
      detail: "The host name could not be resolved",
      durationMs: 1,
      phases: { total: 1 },
    };
    expect(reasonOf(failed)).to.equal("token server: The host name could not be resolved");
  });
});
