/**
 * The texts of the pages. Each area keeps its own in `texts/{en,fr}.json` beside its code, which are
 * loaded with it, in one language only. The name of an area's folder is the name of its texts.
 */
import i18next, { type BackendModule, type i18n } from "i18next";
import { initReactI18next } from "react-i18next";
import { firstLanguage, keepLanguage } from "../look/language.ts";
import { languages, type Language } from "../look/words.ts";
import { setFormatLanguage } from "./format.ts";

const texts = import.meta.glob<Record<string, unknown>>(
  ["./texts/*.json", "../console/*/texts/*.json", "../quick-invitation/texts/*.json"],
  { import: "default" },
);

const loaderOf = (language: string, area: string) =>
  texts[`../console/${area}/texts/${language}.json`] ??
  texts[`../${area}/texts/${language}.json`] ??
  (area === "base" ? texts[`./texts/${language}.json`] : undefined);

const files: BackendModule = {
  type: "backend",
  init: () => {},
  read: (language, area, done) => {
    const load = loaderOf(language, area);
    if (load === undefined) {
      done(new Error(`There are no texts ${area} in ${language}`), false);
      return;
    }
    load().then(
      (found) => done(null, found),
      (thrown: unknown) => done(thrown as Error, false),
    );
  },
};

const apply = (language: string): void => {
  document.documentElement.lang = language;
  setFormatLanguage(language);
};

/** Resolves when the common texts are there; an area's come when it is shown. */
export const startI18n = async (): Promise<i18n> => {
  await i18next
    .use(files)
    .use(initReactI18next)
    .init({
      lng: firstLanguage(),
      fallbackLng: false,
      supportedLngs: languages,
      ns: ["base"],
      defaultNS: "base",
      interpolation: { escapeValue: false }, // React does
      returnNull: false,
    });
  apply(i18next.language);
  i18next.on("languageChanged", apply);
  return i18next;
};

export const changeLanguage = async (language: Language): Promise<void> => {
  keepLanguage(language);
  await i18next.changeLanguage(language);
};
