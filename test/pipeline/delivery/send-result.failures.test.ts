import { expect } from "chai";
import { failureClasses } from "../../../src/contracts/deliveries.ts";
import {
  detailOf,
  failureOf,
  isLocalFault,
  type Failure,
} from "../../../src/pipeline/delivery/send-result.ts";

describe("failure classes", () => {
  const codes: readonly (readonly [code: string, failure: Failure])[] = [
    ["ESSRF", "blocked_target"],
    ["ENOTFOUND", "dns"],
    ["EAI_AGAIN", "dns"],
    ["EAI_FAIL", "dns"],
    ["EDNSTIMEOUT", "dns"],
    ["ECONNREFUSED", "refused"],
    ["ECONNRESET", "reset"],
    ["EPIPE", "reset"],
    ["EHOSTUNREACH", "unreachable"],
    ["ENETUNREACH", "unreachable"],
    ["CERT_HAS_EXPIRED", "tls"],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", "tls"],
    ["SELF_SIGNED_CERT_IN_CHAIN", "tls"],
    ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "tls"],
    ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", "tls"],
    ["ERR_TLS_CERT_ALTNAME_INVALID", "tls"],
    ["ERR_SSL_WRONG_VERSION_NUMBER", "tls"],
    ["EPROTO", "tls"],
    ["HPE_INVALID_CONSTANT", "protocol"],
    ["HPE_HEADER_OVERFLOW", "protocol"],
    ["ERR_INVALID_CHAR", "other"],
    ["ESOMETHING", "other"],
  ];
  for (const [code, failure] of codes) {
    it(`${code} is ${failure}`, () => {
      expect(failureOf(code, "waiting")).to.equal(failure);
    });
  }

  it("a time-out depends on the progress of the connection", () => {
    expect(failureOf("ETIMEDOUT", "resolving")).to.equal("dns");
    expect(failureOf("ETIMEDOUT", "connecting")).to.equal("timeout_connect");
    expect(failureOf("ETIMEDOUT", "waiting")).to.equal("timeout_response");
  });

  it("an error without a code is `other`", () => {
    expect(failureOf(undefined, "waiting")).to.equal("other");
  });

  it("running out of sockets or memory is a fault of our own", () => {
    expect(isLocalFault("EMFILE")).to.equal(true);
    expect(isLocalFault("ECONNREFUSED")).to.equal(false);
    expect(isLocalFault(undefined)).to.equal(false);
  });

  it("each has a text, with the code except for blocked targets", () => {
    for (const failure of failureClasses.filter((one) => one !== "interrupted")) {
      expect(detailOf(failure)).to.have.length.above(10);
    }
    expect(detailOf("tls", "CERT_HAS_EXPIRED")).to.contain("CERT_HAS_EXPIRED");
    expect(detailOf("blocked_target", "ESSRF")).to.equal(detailOf("blocked_target"));
  });
});
