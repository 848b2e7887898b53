import en from "./texts/en.json" with { type: "json" };
import fr from "./texts/fr.json" with { type: "json" };
import { textsFor } from "./texts.ts";

/** What several small pages say. */
export function sharedTexts() {
  return textsFor({ en, fr });
}
