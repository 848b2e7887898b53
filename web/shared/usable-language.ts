/**
 * Fixes `navigator.language` for libraries such as uPlot that format by it at import: a headless
 * browser may report `en-US@posix`, which `Intl` rejects.
 */
import { isLocale, localeOf } from "./locale.ts";

if (!isLocale(navigator.language)) {
  const value = localeOf(navigator.language.slice(0, 2));
  Object.defineProperty(navigator, "language", { value, configurable: true });
}
