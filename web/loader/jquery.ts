/** The host's jQuery if there is one, else a bundled copy that stays private. */
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
