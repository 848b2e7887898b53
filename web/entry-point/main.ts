/** The request form of an entry point: `/e/{buttonId}`. */
import "../shared/customer-page.css";
import "./entry-point.css";
import { chooseLanguage } from "../shared/customer-language.ts";
import { actionLink, languageChoice, messageScreen, screenTitle } from "../shared/customer-view.ts";
import { byId, element } from "../shared/dom.ts";
import { newId } from "../shared/new-id.ts";
import { fill } from "../shared/words.ts";
import { readEntryPoint, sendRequest, type RequestResult } from "./entry-point.ts";
import { createForm, type RequestForm } from "./form.ts";
import { textsOf, type Texts } from "./texts.ts";

const buttonId = location.pathname.split("/").filter(Boolean).pop() ?? "";

const entryPoint = readEntryPoint();

const state = {
  language: chooseLanguage([...navigator.languages, entryPoint?.language]),
  /** The customer's link, once the request is sent. */
  requestorUrl: undefined as string | undefined,
  isUnknown: entryPoint === undefined,
  isSending: false,
  values: { firstname: "", lastname: "", email: "", phone: "", subject: "" },
  /** Of the request, for the values that were last sent. */
  key: "",
  sent: "",
  form: undefined as RequestForm | undefined,
};

function textsNow(): Texts {
  return textsOf[state.language];
}

const who = entryPoint?.enterprise_name ?? "";

function screenNow(): HTMLElement[] {
  const texts = textsNow();
  if (state.isUnknown) {
    return messageScreen(texts.unknown, texts.unknown_text);
  }
  return [
    element("p", "from", who),
    ...(state.requestorUrl === undefined
      ? formScreen(texts)
      : messageScreen(
          texts.sent,
          fill(texts.sent_text, { who }),
          actionLink(texts.continue, state.requestorUrl),
        )),
  ];
}

function formScreen(texts: Texts): HTMLElement[] {
  state.form = createForm(texts, { values: state.values, onSubmit: () => void submit() });
  state.form.setSending(state.isSending);
  return [
    screenTitle(texts.title),
    element("p", "service", entryPoint?.service_name ?? ""),
    element("p", "text", fill(texts.intro, { who })),
    state.form.root,
  ];
}

function draw(): void {
  const texts = textsNow();
  document.documentElement.lang = state.language;
  document.title = state.isUnknown ? texts.unknown : `${texts.title} · ${who}`;
  replaceContent("page", screenNow());
  const onChoose = (language: typeof state.language): void => {
    state.values = state.form?.values() ?? state.values;
    state.language = language;
    draw();
  };
  const choice = languageChoice({ chosen: state.language, label: texts.language, onChoose });
  replaceContent("foot", choice);
}

function replaceContent(id: string, made: readonly HTMLElement[]): void {
  const parent = byId(id);
  parent.textContent = "";
  parent.append(...made);
}

async function submit(): Promise<void> {
  if (state.isSending || state.form === undefined) {
    return;
  }
  state.isSending = true;
  state.form.clearErrors();
  state.form.setSending(true);
  state.values = state.form.values();
  const sent = JSON.stringify(state.values);
  if (sent !== state.sent) {
    state.sent = sent;
    state.key = newId();
  }
  const { language, values, key } = state;
  const result = await sendRequest({ buttonId, language, values, key });
  state.isSending = false;
  state.form.setSending(false);
  showResult(result, state.form);
}

function showResult(result: RequestResult, form: RequestForm): void {
  const texts = textsNow();
  switch (result.kind) {
    case "sent":
      state.requestorUrl = result.requestorUrl;
      drawNext();
      break;
    case "unknown":
      state.isUnknown = true;
      drawNext();
      break;
    case "limited":
      form.showNotice(texts.limited, fill(texts.limited_text, { seconds: result.seconds }));
      break;
    case "invalid":
      if (!form.showErrors(result.errors)) {
        form.showNotice(texts.failed, texts.failed_text);
      }
      break;
    case "failed":
      form.showNotice(texts.failed, texts.failed_text);
      break;
    case "unanswered":
      form.showNotice(texts.unanswered, texts.unanswered_text);
      break;
  }
}

/** Another screen: its title gets the focus. */
function drawNext(): void {
  draw();
  document.querySelector<HTMLElement>("h1")?.focus();
  scrollTo(0, 0);
}

draw();
