import type { ReactNode } from "react";
import classes from "./facts.module.css";

/** A list of names and values: its children are `dt` and `dd`. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className={classes["facts"]}>{children}</dl>;
}
