/** The host's jQuery where there is one, else ours, which nobody else sees. */
import bundled from "jquery";

const own = bundled.noConflict(true);

export function asJQuery(box: HTMLElement): JQuery {
  const { jQuery: hosts } = window as { jQuery?: unknown };
  return (isJQuery(hosts) ? hosts : own)(box);
}

function isJQuery(value: unknown): value is JQueryStatic {
  return (
    typeof value === "function" &&
    typeof (value as { fn?: { jquery?: unknown } }).fn?.jquery === "string"
  );
}
