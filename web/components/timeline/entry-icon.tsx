import type { Icon } from "@tabler/icons-react";
import type { Meaning } from "../meaning.ts";
import tints from "../meaning.module.css";
import classes from "./entry-icon.module.css";

/** What an entry looks like. The colour never says more than the words. */
export type EntryAppearance = Readonly<{ icon: Icon; meaning: Meaning }>;

/** The round picture before what happened. */
export function EntryIcon({ icon: Picture, meaning }: EntryAppearance) {
  return (
    <span className={`${classes["icon"]} ${tints["tint"]}`} data-meaning={meaning} aria-hidden>
      <Picture size={15} stroke={1.8} />
    </span>
  );
}
