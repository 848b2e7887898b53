import { languages } from "../../../src/contracts/languages.ts";
import { expect } from "chai";
import { countSegments } from "../../../src/messages/model.ts";
import { builtInWording } from "../../../src/messages/templates/built-in/built-in.ts";
import { checkWording, render } from "../../../src/messages/templates/render.ts";
import { exampleValues } from "../../../src/messages/templates/service.ts";
import type { Wording } from "../../../src/messages/templates/store.ts";
import { templateKinds, variablesOfKind } from "../../../src/contracts/message-templates.ts";
import { promised } from "../../support/promised.ts";

const channels = ["email", "sms"] as const;
const setting = {
  timeZone: "Europe/Paris",
  enterprise: "ACME",
  at: new Date("2026-08-20T10:00:00Z"),
};

function aWording(more: Partial<Wording> = {}): Wording {
  return {
    kind: "ticket",
    channel: "email",
    language: "en",
    subject: "About {{subject}}",
    text: "Hello {{firstname}},\n\nSubject: {{subject}}\n\n{{link}}\n\nBye",
    html: null,
    ...more,
  };
}

const link = "https://video.example/v/abc";

describe("built-in templates", () => {
  for (const language of languages) {
    for (const kind of templateKinds) {
      for (const channel of channels) {
        it(`render ${kind} by ${channel} in ${language} with every value`, () => {
          const wording = builtInWording(kind, channel, language);
          checkWording(wording);
          const values = exampleValues(wording, setting);
          const { subject, text, html } = render(wording, values);
          for (const part of [subject ?? "", text, html ?? ""]) {
            expect(part).to.not.match(/\{\{|\}\}|undefined|\bnull\b| ,/u);
          }
          expect(subject === null).to.equal(channel === "sms");
          expect(html === null).to.equal(channel === "sms");
          const hasLink = kind !== "cancel";
          expect(text.includes(values.link ?? "no link")).to.equal(hasLink);
          expect((html ?? "").includes(`href="${values.link}"`)).to.equal(
            hasLink && channel === "email",
          );
        });
      }
    }
  }

  for (const language of languages) {
    for (const kind of templateKinds) {
      it(`fit one GSM-7 SMS for ${kind} in ${language}, with the link last`, () => {
        const wording = builtInWording(kind, "sms", language);
        const { text } = render(wording, exampleValues(wording, setting));
        expect(countSegments(text), text).to.include({ segments: 1, encoding: "GSM-7" });
        if (kind !== "cancel") {
          expect(text).to.match(/\shttps:\/\/\S+$/u);
        }
      });
    }
  }

  it("omit paragraphs with empty variables, except the greeting and the link", () => {
    const wording = builtInWording("ticket", "email", "en");
    const { subject, text } = render(wording, { enterprise: "ACME", agentName: "Ada", link });
    expect(subject).to.equal("Your video assistance with ACME");
    expect(text).to.equal(
      [
        "Hello,",
        "Ada would like to help you by live video.",
        "Open this link on your phone, tablet or computer. There is nothing to install.",
        link,
        "Kind regards,\nACME\n",
      ].join("\n\n"),
    );
  });

  it("use only variables of their kind, and always the enterprise's name", () => {
    for (const kind of templateKinds) {
      expect(variablesOfKind[kind]).to.include("enterprise");
    }
  });
});

describe("rendering a template", () => {
  it("escapes values in HTML, but not in plain text", () => {
    const values = { firstname: "<b>Ann</b>", subject: 'a"b & <i>', link };
    const { subject, text, html } = render(aWording(), values);
    expect(subject).to.equal('About a"b & <i>');
    expect(text).to.contain("Hello <b>Ann</b>,").and.contain('Subject: a"b & <i>');
    expect(html).to.contain("&lt;b&gt;Ann&lt;/b&gt;").and.contain("a&quot;b &amp; &lt;i&gt;");
    expect(html).to.not.contain("<i>").and.not.contain("<b>");
  });

  it("escapes values in custom HTML as well", () => {
    const html = '<p title="{{subject}}">{{firstname}}</p><a href="{{link}}">x</a>';
    const values = { firstname: "<script>", subject: '" onclick="x', link };
    const rendered = render(aWording({ html }), values).html ?? "";
    expect(rendered).to.not.contain("<script>").and.not.contain('" onclick');
  });

  it("has one button, with the plain link below it", () => {
    const html = render(aWording(), { link }).html ?? "";
    expect(html.match(/href="https:\/\/video\.example\/v\/abc"/gu)).to.have.lengthOf(2);
    expect(html).to.contain(`>${link}</a>`);
    expect(html.match(/bgcolor="#2457d6"/gu)).to.have.lengthOf(1);
    expect(html).to.not.match(/<(?:img|script|link|style|iframe)\b|url\(/u);
  });

  it("keeps a subject on one line, for any values", () => {
    const { subject } = render(aWording(), { subject: "a\r\nBcc: eve@evil.example", link });
    expect(subject).to.equal("About a Bcc: eve@evil.example");
    const long = render(aWording(), { subject: "x".repeat(500), link }).subject;
    expect(long).to.have.lengthOf(255);
  });

  it("collapses spaces and removes them before commas, in linear time", () => {
    const text = "Hello {{firstname}} , {{subject}}  end\n\n{{link}}";
    const started = performance.now();
    const values = { firstname: "", subject: `a${" ".repeat(500_000)}b`, link };
    expect(render(aWording({ text }), values).text).to.equal(`Hello, a b end\n\n${link}\n`);
    expect(performance.now() - started).to.be.below(promised(1_000));
  });

  it("does not evaluate a value as a template", () => {
    const { text } = render(aWording(), { subject: "{{link}} {{#x}}", firstname: "Ann", link });
    expect(text).to.contain("Subject: {{link}} {{#x}}");
  });
});
