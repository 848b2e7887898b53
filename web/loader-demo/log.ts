export function note(type: string, params: unknown): void {
  const entry = document.createElement("li");
  const head = document.createElement("div");
  const name = document.createElement("code");
  const time = document.createElement("time");
  const body = document.createElement("pre");
  name.textContent = type;
  time.textContent = new Date().toLocaleTimeString();
  body.textContent = inWords(params);
  head.append(name, time);
  entry.dataset["type"] = type;
  entry.append(head, body);
  list().prepend(entry);
  document.getElementById("log-empty")?.remove();
}

function inWords(params: unknown): string {
  if (isJQuery(params)) {
    return `jQuery ${params.jquery} <div class="${params.attr("class").split(" ")[0]}" data-dest-id="${params.attr("data-dest-id")}">`;
  }
  return params === undefined ? "undefined" : JSON.stringify(params, null, 1);
}

function isJQuery(value: unknown): value is { jquery: string; attr(name: string): string } {
  return typeof value === "object" && value !== null && "jquery" in value;
}

/** A readable log of the host's callbacks. */
function list(): HTMLElement {
  return document.getElementById("log") ?? document.body;
}
