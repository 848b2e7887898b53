/**
 * For libraries that format by `navigator.language` as soon as they are loaded, as uPlot does: in a
 * browser without a desktop it may be `en-US@posix`, which `Intl` refuses.
 */
import { isLocale, localeOf } from "./locale.ts";

if (!isLocale(navigator.language)) {
  const value = localeOf(navigator.language.slice(0, 2));
  Object.defineProperty(navigator, "language", { value, configurable: true });
}
