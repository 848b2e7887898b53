/** When a page is first seen: `base.css` hides it until then. */

/** The same, when that is there; what takes long is not waited for. */
export function revealAfter(first: Promise<unknown>): void {
  const timer = setTimeout(reveal, 1_500);
  void first
    .catch(() => undefined)
    .then(() => {
      clearTimeout(timer);
      reveal();
    });
}

/** Shows the page, once what it begins with has its size: nothing moves afterwards. */
export function reveal(): void {
  document.body.dataset["shown"] = "";
}
