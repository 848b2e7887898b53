import { builtIn } from "./built-in/built-in.ts";
import type { Variables, Wording } from "./store.ts";
import { variablesOfKind } from "../../contracts/message-templates.ts";
import Mustache from "mustache";
import { invalidParameter, checkEach, missingParameter } from "../../contracts/problems.ts";
import { maxSmsLength } from "../model.ts";

export type Rendered = Readonly<{ subject: string | null; text: string; html: string | null }>;

/** Input of the HTML of a mail. The HTML has no images, fonts or external addresses. */

export type MailContent = Readonly<{
  language: string;
  title: string;
  /** Separated by empty lines in the text. */
  paragraphs: readonly string[];
  /** The paragraph that equals this link becomes a button, with the plain link below it. */
  button: Readonly<{ label: string; link: string }> | undefined;
  /** Small print at the end: the sender's name. */
  footer: string;
}>;

const font = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

/** Only plain variables are supported, so templates cannot execute anything. */
type MustacheToken = readonly [kind: string, value: string];

type TemplateValues = Readonly<Record<string, string | undefined>>;

export function render(wording: Wording, values: Variables): Rendered {
  const { channel, language, kind } = wording;
  const paragraphs = paragraphsOf(wording.text, values);
  const text = paragraphs.join("\n\n");
  if (channel === "sms") {
    return { subject: null, text, html: null };
  }
  const subject = oneLine(fillText(wording.subject ?? "", values));
  const { link, enterprise = "" } = values;
  const button = link === undefined ? undefined : { label: builtIn(kind, language).button, link };
  const html =
    wording.html === null
      ? mailHtml({ language, title: subject, paragraphs, button, footer: enterprise })
      : fillHtml(wording.html, values);
  return { subject, text: `${text}\n`, html };
}

/**
 * The paragraphs of a text, separated by empty lines. A paragraph with an empty variable is
 * omitted, such as the dial-in of a meeting without a phone number. The first paragraph and the one
 * with the link are always kept.
 */
function paragraphsOf(text: string, values: Variables): string[] {
  const has = (name: string): boolean => ((values as Record<string, string>)[name] ?? "") !== "";
  const kept = text.split(/\n[ \t]*\n/u).filter((paragraph, index) => {
    const named = variablesIn(paragraph);
    return index === 0 || named.includes("link") || named.every(has);
  });
  return kept.map((paragraph) => tidy(fillText(paragraph, values)));
}

/** The variables used in a template. */
export function variablesIn(template: string): string[] {
  return parse(template)
    .filter(([kind]) => kind === "name")
    .map(([, value]) => value);
}

/** Removes the gap of an empty variable: `Hello ,` becomes `Hello,`. */
function tidy(text: string): string {
  return text.replaceAll(/ {2,}/gu, " ").replaceAll(" ,", ",").trim();
}

/** Without escaping: for plain text. */
function fillText(template: string, values: TemplateValues): string {
  return createWriter().render(template, values, undefined, { escape: String });
}

/** A mail subject is one line. */
const maxSubject = 255;

function oneLine(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\s]+/gu, " ")
    .trim()
    .slice(0, maxSubject);
}

function mailHtml(mail: MailContent): string {
  const { language, title, paragraphs, button, footer } = mail;
  const body = paragraphs
    .map((text) =>
      button !== undefined && text.trim() === button.link ? buttonOf(button) : paragraphOf(text),
    )
    .join("\n");
  return `<!doctype html>
<html lang="${escapeHtml(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light">
<title>${escapeHtml(title)}</title>
</head>
<body style="margin:0;padding:0;background:#f6f7f9">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" bgcolor="#f6f7f9"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px;background:#ffffff;border:1px solid #dde1e7;border-radius:12px"><tr><td align="left" style="padding:32px 28px 16px">
<h1 style="margin:0 0 20px;${font};font-size:20px;font-weight:650;line-height:1.3;color:#1a1f27">${escapeHtml(title)}</h1>
${body}
</td></tr></table>
<p style="margin:16px 0 0;${font};font-size:12px;line-height:1.5;color:#596373">${escapeHtml(footer)}</p>
</td></tr></table>
</body>
</html>
`;
}

/** A table, because Outlook ignores the padding of links. */
function buttonOf({ label, link }: NonNullable<MailContent["button"]>): string {
  const href = escapeHtml(link);
  return `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:8px 0 12px"><tr>
<td bgcolor="#2457d6" style="border-radius:8px"><a href="${href}" style="display:inline-block;padding:13px 26px;${font};font-size:16px;font-weight:600;line-height:1.25;color:#ffffff;text-decoration:none;border-radius:8px">${escapeHtml(label)}</a></td>
</tr></table>
<p style="margin:0 0 20px;${font};font-size:13px;line-height:1.5;color:#596373;word-break:break-all"><a href="${href}" style="color:#2457d6">${href}</a></p>`;
}

function paragraphOf(text: string): string {
  return (
    `<p style="margin:0 0 16px;${font};font-size:16px;line-height:1.5;color:#1a1f27">` +
    `${escapeHtml(text).replaceAll("\n", "<br>")}</p>`
  );
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/gu, (sign) => entities[sign] ?? sign);
}

/** With HTML escaping. */
function fillHtml(template: string, values: TemplateValues): string {
  return createWriter().render(template, values);
}

/** Throws a 400 that names all invalid fields and unknown variables. */
export function checkWording(wording: Wording): void {
  const known = variablesOfKind[wording.kind];
  const fields = ["subject", "text", "html"] as const;
  checkEach(
    () => checkLength(wording),
    () => checkSubject(wording),
    () => checkHtml(wording),
    ...fields.map((field) => () => checkTemplate(field, wording[field] ?? "", known)),
    () => checkLink(wording),
  );
}

function checkLength({ channel, text }: Wording): void {
  if (channel === "sms" && text.length > maxSmsLength) {
    throw invalidParameter(
      "text",
      "length",
      `The text of an SMS has at most ${maxSmsLength} characters.`,
    );
  }
}

function checkSubject({ channel, subject }: Wording): void {
  if (channel === "email" && (subject ?? "").trim() === "") {
    throw missingParameter("subject", "The subject field is required for a mail.");
  }
  if (channel === "sms" && subject !== null) {
    throw invalidParameter("subject", "not_for_sms", "An SMS has no subject. Omit the field.");
  }
}

function checkHtml({ channel, html }: Wording): void {
  if (channel === "sms" && html !== null) {
    throw invalidParameter("html", "not_for_sms", "An SMS has no html. Omit the field.");
  }
}

const tagOf: Readonly<Record<string, (value: string) => string>> = {
  "#": (value) => `the section {{#${value}}}`,
  "^": (value) => `the section {{^${value}}}`,
  "&": (value) => `the unescaped {{{${value}}}}`,
  ">": (value) => `the partial {{>${value}}}`,
  "=": () => "other brackets",
  "!": (value) => `the comment {{!${value}}}`,
};

/** Rejects everything except text and known variables, and names the rejected part. */
function checkTemplate(field: string, template: string, known: readonly string[]): void {
  for (const [kind, value] of tokensOf(field, template)) {
    const tag = tagOf[kind];
    if (tag !== undefined) {
      throw invalidParameter(field, "format", describe(field, tag(value)));
    }
    if (kind === "name" && !known.includes(value)) {
      const list = known.join(", ");
      const detail = `The field ${field} contains the unknown variable {{${value}}}. Use one of ${list}.`;
      throw invalidParameter(field, "unknown_variable", detail);
    }
  }
}

function tokensOf(field: string, template: string): MustacheToken[] {
  try {
    return parse(template);
  } catch {
    throw invalidParameter(field, "format", `The field ${field} contains an unclosed tag.`);
  }
}

function parse(template: string): MustacheToken[] {
  return createWriter().parse(template) as MustacheToken[];
}

/** Not cached, because the number of custom templates is unbounded. */
function createWriter(): Mustache.Writer {
  return Object.assign(new Mustache.Writer(), { templateCache: undefined });
}

function describe(field: string, tag: string): string {
  return `The field ${field} may contain only variables such as {{link}}, not ${tag}.`;
}

/** Many mail clients include adjacent characters in a link. */
const linkTagWithSuffix = /\{\{\s*link\s*\}\}(?=\S)/u;

const linkTag = /\{\{\s*link\s*\}\}/u;

function checkLink({ kind, text }: Wording): void {
  if (kind !== "cancel" && !linkTag.test(text)) {
    throw invalidParameter("text", "link_missing", "The text must contain {{link}}.");
  }
  if (linkTagWithSuffix.test(text)) {
    const detail = "{{link}} must be followed by a space, a line break or the end of the text.";
    throw invalidParameter("text", "after_link", detail);
  }
}
