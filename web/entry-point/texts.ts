/** The texts of the page, in every language that invitations are written in. */
import type { Language } from "../shared/customer-language.ts";
import de from "./texts/de.json" with { type: "json" };
import en from "./texts/en.json" with { type: "json" };
import es from "./texts/es.json" with { type: "json" };
import fr from "./texts/fr.json" with { type: "json" };
import it from "./texts/it.json" with { type: "json" };
import nl from "./texts/nl.json" with { type: "json" };
import pt from "./texts/pt.json" with { type: "json" };

export type Texts = Readonly<typeof en>;

export const textsOf: Readonly<Record<Language, Texts>> = { de, en, es, fr, it, nl, pt };
