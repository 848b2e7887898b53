/** What the page says, in the reader's language. */
import { textsFor } from "../look/texts.ts";
import { agoIn, exactIn } from "../look/times.ts";
import en from "./texts/en.json" with { type: "json" };
import fr from "./texts/fr.json" with { type: "json" };

export const { texts, language } = textsFor({ en, fr });
export const ago = agoIn(language);
export const exact = exactIn(language);
