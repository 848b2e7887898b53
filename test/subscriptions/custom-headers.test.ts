import { maskedValue } from "../../src/contracts/request-headers.ts";
import { expect } from "chai";
import fc from "fast-check";
import { validateHeaderName, validateHeaderValue } from "node:http";
import { Problem } from "../../src/contracts/problems.ts";
import type { CustomHeader } from "../../src/contracts/subscriptions.ts";
import { hasOtherOrigin } from "../../src/subscriptions/settings/setting.ts";
import {
  mergeHeaders,
  headersToStore,
  maskHeaders,
} from "../../src/subscriptions/custom-headers.ts";

/** `field reason` of the problem, or "accepted". */
function verdict(input: CustomHeader[], stored: CustomHeader[] = []): string {
  try {
    headersToStore(input, stored);
    return "accepted";
  } catch (thrown) {
    if (!(thrown instanceof Problem)) {
      throw thrown;
    }
    const [fault] = thrown.errors;
    return `${fault?.field ?? ""} ${fault?.reason ?? ""}`;
  }
}

function named(name: string): string {
  return verdict([{ name, value: "x" }]);
}
function valued(value: string): string {
  return verdict([{ name: "X-Key", value }]);
}

describe("custom headers", () => {
  it("are stored unchanged", () => {
    const headers = [
      { name: "Authorization", value: "Bearer abc" },
      { name: "X-Tenant", value: "" },
      { name: "!#$%&'*+-.^_`|~09azAZ", value: "a\tb ~ \u00e9" },
    ];
    expect(headersToStore(headers, [])).to.deep.equal(headers);
  });

  for (const name of [
    "Host",
    "User-Agent",
    "Connection",
    "Transfer-Encoding",
    "TE",
    "Upgrade",
    "Expect",
    "Trailer",
    "Keep-Alive",
    "Cookie",
    "Forwarded",
    "__proto__",
    "Content-Type",
    "Content-Length",
    "Content-Encoding",
    "Content-Anything",
    "webhook-id",
    "Webhook-Signature",
    "webhook-anything",
    "Proxy-Authorization",
    "Proxy-Connection",
    "X-Forwarded-For",
    "X-Forwarded-Host",
    "X-Real-IP",
    "Via",
    "X-HTTP-Method-Override",
    "Accept-Encoding",
    "HTTP2-Settings",
    "Content_Length",
    "Transfer_Encoding",
    "X_Forwarded_For",
    "X-Original-URL",
  ]) {
    it(`reject ${name}, in any case`, () => {
      expect(named(name)).to.equal("headers[0].name refused");
      expect(named(name.toLowerCase())).to.equal("headers[0].name refused");
      expect(named(name.toUpperCase())).to.equal("headers[0].name refused");
    });
  }

  it("keep stored headers with reserved names until they are changed", () => {
    const stored = [{ name: "Via", value: "x" }];
    const staying = { stored, hasMoved: false };
    expect(mergeHeaders(undefined, staying)).to.deep.equal(stored);
    expect(() => mergeHeaders(stored, staying)).to.throw("Via cannot be set");
  });

  it("accept names that only resemble reserved ones", () => {
    for (const name of [
      "X-Content",
      "Hosts",
      "My-Webhook-Id",
      "X-Cookie",
      "Contents",
      "Te-x",
      "Viable",
    ]) {
      expect(named(name), name).to.equal("accepted");
    }
  });

  it("reject names that are not tokens", () => {
    const others = [
      "",
      " ",
      "a b",
      "a:b",
      "a\r\nb",
      "a\u0000",
      "ä",
      "a,b",
      '"a"',
      "a/b",
      "(a)",
      "@",
    ];
    for (const name of [...others, "x".repeat(129)]) {
      expect(named(name), JSON.stringify(name)).to.equal("headers[0].name format");
    }
  });

  it("reject values that cannot be sent unchanged", () => {
    for (const value of [
      "a\r\nX-Injected: 1",
      "a\nb",
      "a\rb",
      "a\u0000b",
      "a\u007fb",
      " a",
      "a ",
      "\ta",
      "€",
      "x".repeat(1025),
    ]) {
      expect(valued(value), JSON.stringify(value)).to.equal("headers[0].value format");
    }
    expect(valued("x".repeat(1024))).to.equal("accepted");
  });

  it("have errors that say which names and values are valid", () => {
    const store = (name: string, value: string) => () => headersToStore([{ name, value }], []);
    expect(store("A B", "x")).to.throw(
      `"A B" is not a valid header name: it must have 1 to 128 letters, digits and characters of !#$%&'*+-.^_\`|~`,
    );
    expect(store("X-Key", "a\nb")).to.throw(
      "The value of the header X-Key is invalid: it must have at most 1024 Latin-1 characters, no line breaks or other ASCII control characters except tabs, and no space or tab at the start or end.",
    );
  });

  it("accept every name and value that the errors call valid", () => {
    for (const sign of "!#$%&'*+-.^_`|~") {
      expect(named(`X${sign}Key`), sign).to.equal("accepted");
    }
    for (const value of ["a\tb", "\u0085x", "\u00a0\u00e9", "\u00e9\u00a0", "\u00ff"]) {
      expect(valued(value), JSON.stringify(value)).to.equal("accepted");
    }
  });

  it("accept nothing that Node would reject", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (name, value) => {
        if (verdict([{ name, value }]) === "accepted") {
          validateHeaderName(name);
          validateHeaderValue(name, value);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it("reject duplicate names, case-insensitively", () => {
    const twice = [
      { name: "X-Key", value: "1" },
      { name: "Other", value: "1" },
      { name: "x-key", value: "2" },
    ];
    expect(verdict(twice)).to.equal("headers[2].name duplicate");
  });

  it("are at most 20", () => {
    const many = Array.from({ length: 21 }, (_, n) => ({ name: `X-${n}`, value: "v" }));
    expect(verdict(many)).to.equal("headers length");
    expect(verdict(many.slice(1))).to.equal("accepted");
  });

  it("keep the stored value if the masked one is sent back", () => {
    const stored = [
      { name: "X-Key", value: "secret" },
      { name: "X-Gone", value: "old" },
    ];
    const input = [
      { name: "x-key", value: maskedValue },
      { name: "X-New", value: "new" },
    ];
    expect(headersToStore(input, stored)).to.deep.equal([
      { name: "x-key", value: "secret" },
      { name: "X-New", value: "new" },
    ]);
  });

  it("reject the masked value without a stored one", () => {
    expect(valued(maskedValue)).to.equal("headers[0].value masked");
  });

  it("go to another origin only if the values are sent again", () => {
    const stored = [{ name: "X-Key", value: "secret" }];
    const at = (from: string | null, to: string | null, raw?: CustomHeader[]): unknown => {
      try {
        return mergeHeaders(raw, { stored, hasMoved: hasOtherOrigin(to, from) });
      } catch (thrown) {
        return thrown instanceof Problem ? thrown.errors[0] : thrown;
      }
    };
    const here = "https://a.example/hook";
    const masked = [{ name: "X-Key", value: maskedValue }];
    const refused = { field: "headers", reason: "masked" };
    for (const other of [
      "https://b.example/hook",
      "https://a.example:8443/hook",
      "http://a.example/hook",
      "https://x.a.example/hook",
    ]) {
      expect(at(here, other), other).to.deep.equal(refused);
      expect(at(here, other, masked), other).to.deep.equal(refused);
      // Removing the URL and then setting another one must not bypass the check.
      expect(at(null, other), other).to.deep.equal(refused);
      const again = [{ name: "X-Key", value: "again" }];
      expect(at(here, other, again), other).to.deep.equal(again);
      expect(at(here, other, []), other).to.deep.equal([]);
    }
    for (const same of ["https://a.example/other?x=1", here, null]) {
      expect(at(here, same), String(same)).to.deep.equal(stored);
      expect(at(here, same, masked), String(same)).to.deep.equal(stored);
    }
    expect(mergeHeaders(undefined, { stored: [], hasMoved: true })).to.deep.equal([]);
  });

  it("are shown masked", () => {
    const shown = maskHeaders([{ name: "X-Key", value: "secret" }]);
    expect(shown).to.deep.equal([{ name: "X-Key", value: "••••" }]);
  });
});
