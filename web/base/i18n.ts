/**
 * The texts of the pages. Each area has its own `texts/{en,fr}.json` beside its code, loaded lazily
 * and in one language only. The folder name of the area is the name of its texts.
 */
import { useSyncExternalStore } from "react";
import {
  firstLanguage,
  keepLanguage,
  languageOf,
  type LanguageChoice,
} from "../shared/language.ts";
import type { Language } from "../shared/words.ts";
import { setFormatLanguage } from "./format.ts";
import { createLoader, useLoaded, type Loader } from "./loader.ts";
import type { Area, TextKey } from "./text-keys.ts";
import { translate, type Texts, type Values } from "./translate.ts";

const files = import.meta.glob<Texts>(
  ["./texts/*.json", "../console/*/texts/*.json", "../quick-invitation/texts/*.json"],
  { import: "default" },
);

async function readFile(language: Language, area: string): Promise<Texts> {
  const read =
    files[`../console/${area}/texts/${language}.json`] ??
    files[`../${area}/texts/${language}.json`] ??
    (area === "base" ? files[`./texts/${language}.json`] : undefined);
  if (read === undefined) {
    throw new Error(`There are no texts ${area} in ${language}`);
  }
  return read();
}

type LoadedTexts = Map<string, Texts>;

const loaded: Record<Language, LoadedTexts> = { en: new Map(), fr: new Map() };
const loaders = new Map<string, Loader<Texts>>();

function loaderOf(language: Language, area: string): Loader<Texts> {
  const name = `${area} in ${language}`;
  const known = loaders.get(name);
  if (known !== undefined) {
    return known;
  }
  const loader = createLoader(async () => {
    const texts = await readFile(language, area);
    loaded[language].set(area, texts);
    return texts;
  });
  loaders.set(name, loader);
  return loader;
}

function load(language: Language, area: string): Promise<Texts> {
  return loaderOf(language, area).load();
}

let current: Language = "en";
const listeners = new Set<() => void>();

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function speak(language: Language): void {
  current = language;
  document.documentElement.lang = language;
  setFormatLanguage(language);
  listeners.forEach((listener) => listener());
}

export type Translation<Key extends string = TextKey<"base">> = Readonly<{
  /** The text of a key with its values filled in; `count` selects the plural form. */
  t(key: Key, values?: Values): string;
  /** For keys built from API values; undefined if there is no such text. */
  find(key: string): string | undefined;
  language: Language;
}>;

/** `base:action.save` is a text shared by all areas, `action.save` belongs to this area. */
function placeOf(area: string, key: string): [area: string, key: string] {
  return key.startsWith("base:") ? ["base", key.slice("base:".length)] : [area, key];
}

function makeTranslation(language: Language, area: string): Translation<string> {
  const find = (input: string, values?: Values): string | undefined => {
    const [name, key] = placeOf(area, input);
    return translate({ texts: loaded[language].get(name) ?? {}, language }, key, values);
  };
  return { t: (key, values) => find(key, values) ?? key, find: (key) => find(key), language };
}

const translations = new Map<string, Translation<string>>();

/** Memoized, so that the reference is stable. */
function translationOf(language: Language, area: string): Translation<string> {
  const name = `${area} in ${language}`;
  const known = translations.get(name) ?? makeTranslation(language, area);
  translations.set(name, known);
  return known;
}

/** The texts of an area in the reader's language. Suspends until they are loaded. */
export function useTranslation(): Translation;
export function useTranslation<Of extends Area>(area: Of): Translation<TextKey<Of>>;
export function useTranslation(area: Area = "base"): Translation<string> {
  const language = useSyncExternalStore(listen, () => current);
  useLoaded(loaderOf(language, area));
  return translationOf(language, area);
}

/** Loads the texts of an area before it renders, so that it does not suspend. */
export async function loadTexts(area: Area): Promise<void> {
  await load(current, area);
}

/** A shared text, for use outside of components. */
export function say(key: TextKey<"base">, values?: Values): string {
  return translationOf(current, "base").t(key, values);
}

/** Resolves once the shared texts and those of `areas` are loaded; other areas load on demand. */
export async function startI18n(areas: readonly Area[]): Promise<void> {
  const language = firstLanguage();
  await Promise.all(["base", ...areas].map((area) => load(language, area)));
  speak(language);
}

/** Rejects, and changes nothing, if the texts of the loaded areas cannot be fetched. */
export async function changeLanguage(choice: LanguageChoice): Promise<void> {
  const language = languageOf(choice);
  await Promise.all([...loaded[current].keys()].map((area) => load(language, area)));
  keepLanguage(choice);
  speak(language);
}
