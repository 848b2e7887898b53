/** One operation: request, responses, and a form to try it. */
import { element } from "../shared/dom.ts";
import {
  formsOf,
  parametersOf,
  resolve,
  schemeOf,
  type ApiDocument,
  type Content,
  type Operation,
  type Parameter,
} from "./document.ts";
import { exampleOf } from "./example.ts";
import { fieldRow, schemaView } from "./schema-view.ts";
import { texts } from "./texts.ts";
import { scrolling, tryIt } from "./try-it.ts";

export function operationView(document: ApiDocument, operation: Operation): HTMLElement[] {
  const parameters = parametersOf(document, operation);
  return [
    head(operation),
    ...(parameters.length === 0
      ? []
      : [section(texts.parameters, parameterList(document, parameters))]),
    ...bodyPart(document, operation),
    section(texts.answers, ...answers(document, operation)),
    ...(isTryable(operation) ? [section(texts.try, tryIt(document, operation, parameters))] : []),
  ];
}

function head(operation: Operation): HTMLElement {
  const { path, summary, description, deprecated, isWebhook } = operation;
  const notes = [
    ...(isWebhook ? [] : [element("span", "state", access(operation))]),
    ...(deprecated === true ? [element("span", "state state-warn", texts.deprecated)] : []),
  ];
  return element(
    "div",
    "head",
    element("h2", "", summary ?? path),
    element("p", "address", methodBadge(operation), element("code", "path", path), ...notes),
    ...(description === undefined ? [] : [element("p", "lead", ...written(description))]),
  );
}

function access(operation: Operation): string {
  const scheme = schemeOf(operation);
  if (scheme === undefined) {
    return texts.public;
  }
  return scheme === "room_token" ? texts.room_token : texts.access_token;
}

export function methodBadge({ method, isWebhook }: Operation): HTMLElement {
  const badge = element("span", "method", isWebhook ? "EVENT" : method);
  badge.dataset["method"] = isWebhook ? "EVENT" : method;
  return badge;
}

function parameterList(document: ApiDocument, parameters: readonly Parameter[]): HTMLElement {
  return element(
    "ul",
    "fields",
    ...parameters.map(({ name, required, schema = {}, description, in: place }) =>
      fieldRow(document, { name, schema, isRequired: required === true, description, place }),
    ),
  );
}

function bodyPart(document: ApiDocument, { requestBody, isWebhook }: Operation): HTMLElement[] {
  const { content = {}, description } = requestBody ?? {};
  const [media] = Object.values(content);
  if (media === undefined) {
    return [];
  }
  const example = media.example ?? exampleOf(document, media.schema ?? {});
  return [
    section(
      isWebhook ? texts.event_body : texts.body,
      ...(description === undefined ? [] : [element("p", "lead", ...written(description))]),
      ...contentView(document, content),
      element("h4", "", texts.example),
      scrolling(JSON.stringify(example, null, 2)),
    ),
  ];
}

function section(title: string, ...children: Node[]): HTMLElement {
  return element("section", "", element("h3", "", title), ...children);
}

/** `` `so` `` is code in descriptions. */
function written(text: string): (Node | string)[] {
  return text
    .split(/`([^`]+)`/u)
    .map((part, at) => (at % 2 === 1 ? element("code", "", part) : part));
}

function answers(document: ApiDocument, { responses = {} }: Operation): HTMLElement[] {
  return Object.entries(responses).map(([status, one]) => {
    const { content = {}, description = "" } = resolve(document, one);
    return answerRow(document, status, content, description);
  });
}

function answerRow(document: ApiDocument, status: string, content: Content, words: string) {
  const box = element(
    "details",
    "answer-row",
    element(
      "summary",
      "",
      element("code", status.startsWith("2") ? "good" : "", status),
      ` ${words}`,
    ),
  );
  box.addEventListener("toggle", () => box.append(...contentView(document, content)), {
    once: true,
  });
  return box;
}

function contentView(document: ApiDocument, content: Content): HTMLElement[] {
  return formsOf(content).flatMap(({ types, schema }) => [
    element("p", "field-type", types),
    schemaView(document, schema),
  ]);
}

function isTryable({ requestBody, isWebhook }: Operation): boolean {
  return (
    !isWebhook &&
    (requestBody === undefined || requestBody.content?.["application/json"] !== undefined)
  );
}
