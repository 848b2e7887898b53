import { expect } from "chai";
import { Problem } from "../../../src/contracts/problems.ts";
import type { OAuth2Client } from "../../../src/contracts/subscriptions.ts";
import { maskOAuth2, mergeOAuth2 } from "../../../src/subscriptions/settings/oauth2.ts";

const stored: OAuth2Client = {
  tokenUrl: "https://login.example/token",
  clientId: "sightline",
  clientSecret: "topsecret",
  scope: "events",
  audience: null,
  authentication: "form",
};

function faultOf(work: () => unknown): unknown {
  try {
    work();
  } catch (thrown) {
    return thrown instanceof Problem ? thrown.errors[0] : thrown;
  }
  return undefined;
}

describe("OAuth2 client of a webhook", () => {
  it("gets its defaults, and is shown without its secret", () => {
    const { tokenUrl, clientId, clientSecret } = stored;
    const made = mergeOAuth2({ tokenUrl, clientId, clientSecret }, null, true);
    expect(made).to.deep.equal({
      tokenUrl,
      clientId,
      clientSecret,
      scope: null,
      audience: null,
      authentication: "basic",
    });
    expect(maskOAuth2(stored)).to.deep.equal({ ...stored, clientSecret: "••••" });
  });

  it("keeps its secret if the masked one is sent back, and is removed by null", () => {
    expect(mergeOAuth2(maskOAuth2(stored), stored, false)).to.deep.equal(stored);
    expect(mergeOAuth2(undefined, stored, false)).to.equal(stored);
    expect(mergeOAuth2(null, stored, true)).to.equal(null);
    expect(mergeOAuth2(undefined, null, true)).to.equal(null);
  });

  it("does not give its secret to a tokenUrl at another origin", () => {
    for (const tokenUrl of ["https://evil.example/token", "https://login.example:8443/token"]) {
      const input = { ...maskOAuth2(stored), tokenUrl };
      expect(faultOf(() => mergeOAuth2(input, stored, false))).to.deep.equal({
        field: "oauth2.clientSecret",
        reason: "masked",
      });
      expect(mergeOAuth2({ ...input, clientSecret: "new" }, stored, false)).to.deep.equal({
        ...stored,
        tokenUrl,
        clientSecret: "new",
      });
    }
    const path = { ...maskOAuth2(stored), tokenUrl: "https://login.example/other" };
    expect(mergeOAuth2(path, stored, false)).to.deep.include({ clientSecret: "topsecret" });
  });

  it("gets no tokens for a receiver at another origin unless its secret is sent again", () => {
    const refused = { field: "oauth2", reason: "masked" };
    expect(faultOf(() => mergeOAuth2(undefined, stored, true))).to.deep.equal(refused);
    expect(faultOf(() => mergeOAuth2(maskOAuth2(stored), stored, true))).to.deep.equal(refused);
    expect(mergeOAuth2(stored, stored, true)).to.deep.equal(stored);
  });

  it("rejects the masked secret without a stored one", () => {
    expect(faultOf(() => mergeOAuth2(maskOAuth2(stored), null, false))).to.deep.equal({
      field: "oauth2.clientSecret",
      reason: "masked",
    });
  });
});
