/** Controls when a page becomes visible: `base.css` hides it until then. */

/** Shows the page once `first` has resolved, or after a time-out. */
export function revealAfter(first: Promise<unknown>): void {
  const timer = setTimeout(reveal, 1_500);
  void first
    .catch(() => undefined)
    .then(() => {
      clearTimeout(timer);
      reveal();
    });
}

/** Shows the page once its initial content has its final size, to avoid layout shift. */
export function reveal(): void {
  document.body.dataset["shown"] = "";
}
