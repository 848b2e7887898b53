import { invalidParameter, missingParameter } from "../../contracts/problems.ts";
import { maxSmsLength } from "../segments.ts";
import { variablesOfKind } from "./kinds.ts";
import { checkTemplate } from "./mustache.ts";
import type { Wording } from "./wording.ts";

/** What stands right after a link becomes part of it in many readers. */
const afterLink = /\{\{\s*link\s*\}\}(?=\S)/u;
const link = /\{\{\s*link\s*\}\}/u;

const checkLink = ({ kind, text }: Wording): void => {
  if (kind !== "cancel" && !link.test(text)) {
    throw invalidParameter("text", "link_missing", "The text must hold {{link}}.");
  }
  if (afterLink.test(text)) {
    const detail = "After {{link}} there must be a blank, a new line or nothing.";
    throw invalidParameter("text", "after_link", detail);
  }
};

const checkFields = ({ channel, subject, text, html }: Wording): void => {
  if (channel === "sms" && text.length > maxSmsLength) {
    throw invalidParameter(
      "text",
      "length",
      `The text of an SMS has at most ${maxSmsLength} characters.`,
    );
  }
  if (channel === "email" && (subject ?? "").trim() === "") {
    throw missingParameter("subject");
  }
  if (channel === "sms" && subject !== null) {
    throw invalidParameter("subject", "not_for_sms");
  }
  if (channel === "sms" && html !== null) {
    throw invalidParameter("html", "not_for_sms");
  }
};

/** Throws the 400 that names the field, and the variable where one is not known. */
export const checkWording = (wording: Wording): void => {
  checkFields(wording);
  const known = variablesOfKind[wording.kind];
  for (const field of ["subject", "text", "html"] as const) {
    checkTemplate(field, wording[field] ?? "", known);
  }
  checkLink(wording);
};
