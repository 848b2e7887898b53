import { checkEach, invalidParameter, missingParameter } from "../../contracts/problems.ts";
import { maxSmsLength } from "../model.ts";
import { variablesOfKind, type Wording } from "./model.ts";
import { checkTemplate } from "./render.ts";

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

/** Many mail clients include adjacent characters in a link. */
const afterLink = /\{\{\s*link\s*\}\}(?=\S)/u;

const link = /\{\{\s*link\s*\}\}/u;

function checkLink({ kind, text }: Wording): void {
  if (kind !== "cancel" && !link.test(text)) {
    throw invalidParameter("text", "link_missing", "The text must contain {{link}}.");
  }
  if (afterLink.test(text)) {
    const detail = "{{link}} must be followed by a space, a line break or the end of the text.";
    throw invalidParameter("text", "after_link", detail);
  }
}
