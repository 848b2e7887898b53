import en from "./texts/en.json" with { type: "json" };
import fr from "./texts/fr.json" with { type: "json" };
import { textsFor } from "./texts.ts";

/** Texts shared by several small pages. */
export function sharedTexts() {
  return textsFor({ en, fr });
}
