/** The texts of the page, in the reader's language. */
import { localeOf } from "../shared/locale.ts";
import { textsFor } from "../shared/texts.ts";
import { counted, fill } from "../shared/words.ts";
import en from "./texts/en.json" with { type: "json" };
import fr from "./texts/fr.json" with { type: "json" };

export type TextKey = keyof typeof en;

const { texts, language } = textsFor<Readonly<Record<TextKey, string>>>({ en, fr });

export { language };

/** For times: the language as this browser writes it. */
export const locale = localeOf(language);

let isExpert = false;

/** From now on a text `expert_<key>` takes the place of the text `<key>`. */
export function speakToExpert(): void {
  isExpert = true;
}

export function t(key: TextKey, values: Readonly<Record<string, string>> = {}): string {
  const special = isExpert ? findText(`expert_${key}`) : undefined;
  return fill(special ?? texts[key], values);
}

/** "1 person", "3 people": the keys `<name>_one` and `<name>_other`. */
export function plural(name: "people" | "waiting" | "unread", count: number): string {
  return counted(count, { one: texts[`${name}_one`], other: texts[`${name}_other`] }, language);
}

/** A text by a code that the core or the platform gave; undefined: none has this name. */
export function findText(key: string): string | undefined {
  return (texts as Readonly<Record<string, string>>)[key];
}
