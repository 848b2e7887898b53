/** A form that sends a real request, with a token or the browser session. */
import { copyButton } from "../shared/copy.ts";
import { element } from "../shared/dom.ts";
import { pretty } from "../shared/pretty.ts";
import { fill } from "../shared/words.ts";
import type { ApiDocument, Operation, Parameter } from "./document.ts";
import { exampleOf } from "./example.ts";
import { callOf, curlOf, missingIn, type ApiCall, type Filled } from "./request.ts";
import { texts } from "./texts.ts";

/** In memory only. */
let token = "";

/** The current request as a command, and its response. */
export function tryIt(
  document: ApiDocument,
  operation: Operation,
  parameters: readonly Parameter[],
): HTMLElement {
  const inputs = parameters.map(inputFor);
  const body = bodyBox(document, operation);
  const answer = element("div", "answer");
  answer.setAttribute("role", "status");
  const filled = (): Filled => ({
    values: new Map(inputs.map((box) => [box.name, box.value])),
    body: body?.value ?? "",
  });
  const curl = (): string =>
    curlOf(callOf(operation, parameters, filled()), {
      base: location.origin,
      hasToken: (operation.security ?? []).length > 0,
    });
  const command = scrolling(curl());
  const form = element(
    "form",
    "try",
    element("p", "hint", texts.try_note),
    tokenBox(),
    ...inputs.map((box, at) => labelled(`${box.name} · ${parameters[at]?.in ?? ""}`, box)),
    ...(body === undefined ? [] : [labelled(texts.body, body)]),
  );
  const button = element("button", "button button-main", texts.send);
  form.append(button);
  form.noValidate = true;
  form.addEventListener("input", () => command.replaceChildren(curl()));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const missing = missingIn(parameters, filled());
    if (missing.length > 0) {
      const names = missing.join(", ");
      answer.replaceChildren(element("p", "status", fill(texts.missing, { names })));
      inputs.find(({ name }) => name === missing[0])?.focus();
      return;
    }
    answer.replaceChildren(element("p", "hint", texts.sending));
    void show(answer, callOf(operation, parameters, filled()));
  });
  const head = element("h3", "with-copy", texts.curl, copyButton(curl));
  return element("div", "", form, answer, head, command);
}

function inputFor({ name, required, schema }: Parameter): HTMLInputElement {
  const box = element("input", "box");
  box.name = name;
  box.required = required === true;
  box.placeholder = [schema?.type ?? ""].flat().join(" | ");
  box.autocomplete = "off";
  return box;
}

function bodyBox(document: ApiDocument, { requestBody }: Operation) {
  const media = requestBody?.content?.["application/json"];
  if (media === undefined) {
    return undefined;
  }
  const box = element("textarea", "box body-box");
  box.spellcheck = false;
  box.value = JSON.stringify(media.example ?? exampleOf(document, media.schema ?? {}), null, 2);
  return box;
}

function tokenBox(): HTMLElement {
  const box = element("input", "box");
  box.type = "password";
  box.autocomplete = "off";
  box.value = token;
  box.addEventListener("input", () => {
    token = box.value.trim();
  });
  return labelled(texts.token, box, texts.token_note);
}

function labelled(name: string, box: HTMLElement, note = ""): HTMLElement {
  return element(
    "label",
    "labelled",
    element("span", "", name),
    box,
    element("small", "hint", note),
  );
}

async function show(place: HTMLElement, call: ApiCall): Promise<void> {
  const startedMs = performance.now();
  try {
    const response = await send(call);
    const ms = String(Math.round(performance.now() - startedMs));
    const status = `${response.status} ${response.statusText}`.trim();
    const head = element("p", "status", fill(texts.took, { status, ms }));
    head.dataset["good"] = String(response.ok);
    place.replaceChildren(head, scrolling(await readBody(response)));
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    place.replaceChildren(element("p", "status", fill(texts.no_answer, { reason })));
  }
}

async function send({ method, path, headers, body }: ApiCall): Promise<Response> {
  const isOfSession = token === "";
  const csrfHeaders: Record<string, string> =
    isOfSession && method !== "GET" ? { "X-CSRF-TOKEN": await csrfToken() } : {};
  return fetch(path, {
    method,
    credentials: isOfSession ? "same-origin" : "omit",
    headers: {
      ...headers,
      ...csrfHeaders,
      ...(isOfSession ? {} : { Authorization: `Bearer ${token}` }),
    },
    ...(body === undefined ? {} : { body }),
  });
}

/** Writes with the session cookie also need the CSRF token. */
async function csrfToken(): Promise<string> {
  const response = await fetch("/api/browser-session", { credentials: "same-origin" });
  const session = (await response.json()) as { csrf_token?: string };
  return session.csrf_token ?? "";
}

/** Focusable, because it scrolls. */
export function scrolling(text: string): HTMLElement {
  const code = element("pre", "code", text);
  code.tabIndex = 0;
  return code;
}

async function readBody(response: Response): Promise<string> {
  const type = response.headers.get("content-type") ?? "";
  if (!isText(type)) {
    const { byteLength } = await response.arrayBuffer();
    return byteLength === 0
      ? texts.no_body
      : fill(texts.binary, { type, bytes: String(byteLength) });
  }
  const text = await response.text();
  return text === "" ? texts.no_body : (pretty(text) ?? text);
}

function isText(type: string): boolean {
  return /json|text|xml|javascript|urlencoded/u.test(type);
}
