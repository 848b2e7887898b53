import { expect } from "chai";
import { Problem } from "../../../src/contracts/problems.ts";
import { checkWording } from "../../../src/messages/templates/render.ts";
import type { Wording } from "../../../src/messages/templates/store.ts";

function aWording(more: Partial<Wording> = {}): Wording {
  return {
    kind: "ticket",
    channel: "email",
    language: "en",
    subject: "Subject",
    text: "Open {{link}}",
    html: null,
    ...more,
  };
}

function faultOf(wording: Wording): { field: string; reason: string; detail: string } {
  try {
    checkWording(wording);
  } catch (thrown) {
    if (thrown instanceof Problem) {
      return { ...thrown.errors[0]!, detail: thrown.message };
    }
    throw thrown;
  }
  return { field: "", reason: "", detail: "" };
}

describe("checking a template", () => {
  it("accepts the variables of its kind, with blanks in the brackets as well", () => {
    expect(faultOf(aWording({ text: "{{ firstname }} {{reference}}\n{{link}}" })).reason).to.equal(
      "",
    );
    expect(faultOf(aWording({ html: "<p>{{agentName}}</p>" })).reason).to.equal("");
  });

  it("rejects a text that is too long for an SMS", () => {
    const text = `{{link}} ${"x".repeat(1_521)}`;
    const sms = { channel: "sms", subject: null } as const;
    expect(faultOf(aWording({ ...sms, text })).reason).to.equal("");
    expect(faultOf(aWording({ ...sms, text: `${text}x` }))).to.include({
      field: "text",
      reason: "length",
    });
    expect(faultOf(aWording({ text: `${text}x` })).reason).to.equal("");
  });

  it("names a variable that is unknown, or unknown for this kind", () => {
    const unknown = faultOf(aWording({ text: "{{link}} {{password}}" }));
    expect(unknown).to.include({ field: "text", reason: "unknown_variable" });
    expect(unknown.detail).to.contain("{{password}}").and.contain("agentName");
    const other = faultOf(aWording({ subject: "{{dialInCode}}" }));
    expect(other).to.include({ field: "subject", reason: "unknown_variable" });
    const cancelled = faultOf(aWording({ kind: "cancel", text: "{{link}}" }));
    expect(cancelled.reason).to.equal("unknown_variable");
  });

  for (const [text, shown] of [
    ["{{link}} {{#firstname}}x{{/firstname}}", "{{#firstname}}"],
    ["{{link}} {{^firstname}}x{{/firstname}}", "{{^firstname}}"],
    ["{{link}} {{{firstname}}}", "{{{firstname}}}"],
    ["{{link}} {{&firstname}}", "{{{firstname}}}"],
    ["{{link}} {{>firstname}}", "{{>firstname}}"],
    ["{{link}} {{=<% %>=}}", "other brackets"],
    ["{{link}} {{! note }}", "{{!note}}"],
    ["Go: {{!{{link}} now", "{{!{{link}}"],
  ] as const) {
    it(`rejects ${text}`, () => {
      for (const field of ["text", "html", "subject"] as const) {
        const fault = faultOf(aWording({ [field]: text }));
        expect(fault).to.include({ field, reason: "format" });
        expect(fault.detail).to.contain(shown);
      }
    });
  }

  it("rejects an unclosed tag", () => {
    expect(faultOf(aWording({ text: "{{link}} {{firstname" }))).to.include({
      field: "text",
      reason: "format",
    });
    expect(faultOf(aWording({ text: "{{link}} {{#firstname}}" })).reason).to.equal("format");
  });

  it("requires a link followed by white space or the end", () => {
    expect(faultOf(aWording({ text: "Hello" }))).to.include({ reason: "link_missing" });
    expect(faultOf(aWording({ text: "{{link}}." }))).to.include({ reason: "after_link" });
    expect(faultOf(aWording({ text: "{{ link }}!" }))).to.include({ reason: "after_link" });
    expect(faultOf(aWording({ text: "{{link}}\nBye." })).reason).to.equal("");
  });

  it("requires a subject for mails, and rejects subject and HTML for SMS", () => {
    expect(faultOf(aWording({ subject: " " }))).to.include({
      field: "subject",
      reason: "required",
    });
    const sms = aWording({ channel: "sms", subject: null });
    expect(faultOf(sms).reason).to.equal("");
    expect(faultOf({ ...sms, subject: "x" })).to.include({ field: "subject" });
    expect(faultOf({ ...sms, html: "<p>x</p>" })).to.include({ field: "html" });
  });
});
