import type { Icon } from "@tabler/icons-react";
import type { Meaning } from "../meaning.ts";
import tints from "../meaning.module.css";
import classes from "./entry-icon.module.css";

/** Icon and colour of an entry. The colour adds no information to the text. */
export type EntryAppearance = Readonly<{ icon: Icon; meaning: Meaning }>;

/** The round icon of an entry. */
export function EntryIcon({ icon: Picture, meaning }: EntryAppearance) {
  return (
    <span className={`${classes["icon"]} ${tints["tint"]}`} data-meaning={meaning} aria-hidden>
      <Picture size={15} stroke={1.8} />
    </span>
  );
}
