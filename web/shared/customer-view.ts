/** Parts of the customers' plain pages. Text goes in as text, never as HTML. */
import { languageNames, type Language } from "./customer-language.ts";
import { element } from "./dom.ts";

export function actionButton(
  label: string,
  { isMain, onPress }: Readonly<{ isMain: boolean; onPress: () => void }>,
): HTMLButtonElement {
  const button = element("button", isMain ? "action action-main" : "action", label);
  button.type = "button";
  button.addEventListener("click", onPress);
  return button;
}

export function actionLink(label: string, href: string): HTMLElement {
  const made = element("a", "action action-main", label);
  made.href = href;
  return made;
}

/** A screen with a message only. */
export function messageScreen(
  heading: string,
  words: string,
  ...actions: HTMLElement[]
): HTMLElement[] {
  return [
    screenTitle(heading),
    element("p", "text", words),
    ...(actions.length === 0 ? [] : [element("div", "actions", ...actions)]),
  ];
}

export function screenTitle(words: string): HTMLElement {
  const made = element("h1", "title", words);
  made.tabIndex = -1; // takes the focus when a screen comes, so that it is read out
  return made;
}

type LanguageChoice = Readonly<{
  chosen: Language;
  label: string;
  onChoose: (language: Language) => void;
}>;

/** A labelled list of the languages. */
export function languageChoice({ chosen, label, onChoose }: LanguageChoice): HTMLElement[] {
  const select = element("select", "languages");
  select.id = "language";
  for (const [name, word] of languageNames) {
    const option = element("option", "", word);
    option.value = name;
    option.lang = name;
    option.selected = name === chosen;
    select.append(option);
  }
  select.addEventListener("change", () => {
    onChoose(select.value as Language);
    document.querySelector<HTMLElement>("#language")?.focus();
  });
  const labelled = element("label", "", label);
  labelled.htmlFor = select.id;
  return [labelled, select];
}
