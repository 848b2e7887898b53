import { expect } from "chai";
import { formFieldOf, reasonOf } from "../../../../../web/console/webhooks/form/field-names.ts";
import { maskedValue } from "../../../../../src/contracts/request-headers.ts";
import {
  changedOf,
  emptyValues,
  headerRow,
  inputOf,
  parseConditions,
  partOf,
  valuesOf,
} from "../../../../../web/console/webhooks/form/values.ts";
import {
  initialOptions,
  optionsOf,
} from "../../../../../web/console/webhooks/form/option-fields.ts";
import type { Webhook } from "../../../../../web/console/webhooks/types.ts";

const stored: Webhook = {
  ...optionsOf(initialOptions),
  id: 2,
  name: "CRM",
  mode: "push",
  url: "https://crm.example.com/hook",
  active: true,
  maxPerSecond: 50,
  retrySchedule: [10, 60],
  filters: ["ticket.*"],
  conditions: { "props.state": "done" },
  headers: [{ name: "X-Key", value: maskedValue }],
  signatures: ["v1"],
  headerPresets: [],
  oauth2: {
    ...{ tokenUrl: "https://login.example.com/token", clientId: "sightline" },
    ...{ clientSecret: maskedValue, scope: "events", audience: null, authentication: "basic" },
  },
  clientCertificate: null,
  secrets: [{ until: null }],
  publicKeys: [],
  undecryptable: [],
  created: "2026-11-20T23:19:34+00:00",
  modified: "2026-11-20T23:19:34+00:00",
  disabled_reason: null,
  last_success: null,
  last_failure: null,
  failing_since: null,
  health: {
    ...{ state: "ok", window: 8, failures_in_row: 0, throttled_until: null, next_probe: null },
    ...{ last_code: null, last_error: null, warned: null, pulled_to: null, pulled_at: null },
  },
};

describe("the request body of the webhook form", () => {
  it("is empty without changes", () => {
    expect(changedOf(valuesOf(stored), valuesOf(stored))).to.deep.equal({});
  });

  it("contains only changed fields, so that it overwrites no concurrent change", () => {
    const after = { ...valuesOf(stored), name: " CRM 2 ", maxPerSecond: "" as const };
    expect(changedOf(valuesOf(stored), after)).to.deep.equal({ name: "CRM 2", maxPerSecond: null });
  });

  it("keeps stored header values masked, beside new ones", () => {
    const values = valuesOf(stored);
    const after = { ...values, headers: [...values.headers, headerRow("X-New", "1")] };
    expect(changedOf(values, after)).to.deep.equal({
      headers: [
        { name: "X-Key", value: maskedValue },
        { name: "X-New", value: "1" },
      ],
    });
  });

  it("has null for removed conditions, schedule and credentials", () => {
    const after = {
      ...valuesOf(stored),
      ...{ conditions: "", retries: "platform" as const, hasOauth2: false },
    };
    expect(changedOf(valuesOf(stored), after)).to.deep.equal({
      ...{ conditions: null, retrySchedule: null, oauth2: null },
    });
  });

  it("has no request settings for a pull webhook", () => {
    const input = inputOf({
      ...emptyValues,
      mode: "pull",
      url: "https://x.example",
      ordered: true,
    });
    expect(input).not.to.have.any.keys("url", "ordered", "headers", "retrySchedule", "oauth2");
    expect(input).to.include({ mode: "pull" });
  });

  it("requires conditions to be a JSON object", () => {
    expect(parseConditions("")).to.equal(null);
    expect(parseConditions('{"a": 1}')).to.deep.equal({ a: 1 });
    for (const text of ["[]", "1", "null", "{", "done"]) {
      expect(parseConditions(text), text).to.equal(undefined);
    }
  });

  it("maps a problem of the API to the field of the form", () => {
    const texts = [
      ...["url", "filters[2]", "headers[1].name", "headers[0]", "retrySchedule[3]", "oauth2"],
      ...["oauth2.tokenUrl", "clientCertificate.certificate", "conditions.props", "maxInFlight"],
      ...["clientCertificate"],
    ];
    const isShown = { hasOauth2: true, hasCertificate: true };
    expect(texts.map((text) => formFieldOf(text, isShown))).to.deep.equal([
      ...["url", "filters", "headers.1.name", "headers.0.name", "schedule", "oauth2.clientSecret"],
      ...["oauth2.tokenUrl", "certificate.certificate", "conditions", "maxInFlight"],
      ...["certificate.key"],
    ]);
  });

  it("maps a problem of a hidden field to the switch that shows it, in the same section", () => {
    const isHidden = { hasOauth2: false, hasCertificate: false };
    const names = ["oauth2", "clientCertificate", "url"].map((name) => formFieldOf(name, isHidden));
    expect(names).to.deep.equal(["hasOauth2", "hasCertificate", "url"]);
    expect(names.map(partOf)).to.deep.equal(["oauth2", "certificate", undefined]);
    expect(partOf("oauth2.tokenUrl")).to.equal("oauth2");
  });

  it("tells a renamed header from values that a new URL does not keep", () => {
    const fields = ["headers[0].value", "headers", "oauth2", "oauth2.clientSecret"];
    expect(fields.map((field) => reasonOf({ field, reason: "masked" }))).to.deep.equal([
      ...["renamed", "masked", "masked", "masked"],
    ]);
    expect(reasonOf({ field: "headers[0].value", reason: "format" })).to.equal("format");
  });
});
