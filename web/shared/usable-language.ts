/**
 * Fixes `navigator.language` for libraries such as uPlot that format by it at import: without a
 * locale of the system, a browser may report `en-US@posix` or `C`, which `Intl` rejects.
 */
import { isLocale, usableLocale } from "./locale.ts";

if (!isLocale(navigator.language)) {
  const value = usableLocale(navigator.language);
  Object.defineProperty(navigator, "language", { value, configurable: true });
}
