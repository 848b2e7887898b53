/** What the page says, in the reader's language. */
import { timesIn } from "../shared/live-list.ts";
import { textsFor } from "../shared/texts.ts";
import en from "./texts/en.json" with { type: "json" };
import fr from "./texts/fr.json" with { type: "json" };

export const { texts, language } = textsFor({ en, fr });
export const { exact, timeOf, refreshTimes } = timesIn(language);
