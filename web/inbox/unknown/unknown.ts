import "../../shared/base.css";
import "../inbox.css";
import { reveal } from "../../shared/reveal.ts";
import { showTexts, textsFor } from "../../shared/texts.ts";
import en from "./texts/en.json" with { type: "json" };
import fr from "./texts/fr.json" with { type: "json" };

const { texts, language } = textsFor({ en, fr });
showTexts(texts, { language });
reveal();
