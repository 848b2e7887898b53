import type { ReactNode } from "react";
import { EntryIcon, type EntryAppearance } from "../../../components/timeline/entry-icon.tsx";
import classes from "./detail.module.css";

type DetailSectionProps = Readonly<{
  icon: EntryAppearance["icon"];
  meaning?: EntryAppearance["meaning"];
  title: ReactNode;
  /** The time, at the end of the title line. */
  when?: ReactNode;
  children?: ReactNode;
}>;

/** One step of the history, on the connecting line. */
export function DetailSection({
  icon,
  meaning = "neutral",
  title,
  when,
  children,
}: DetailSectionProps) {
  return (
    <li className={classes["section"]}>
      <EntryIcon icon={icon} meaning={meaning} />
      <div className={classes["body"]}>
        <div className={classes["title"]}>
          <h2>{title}</h2>
          <span className={classes["time"]}>{when}</span>
        </div>
        {children}
      </div>
    </li>
  );
}
