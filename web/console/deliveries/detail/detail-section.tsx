import type { ReactNode } from "react";
import { EntryIcon, type EntryAppearance } from "../../../components/timeline/entry-icon.tsx";
import classes from "./detail.module.css";

type DetailSectionProps = Readonly<{
  icon: EntryAppearance["icon"];
  meaning?: EntryAppearance["meaning"];
  title: ReactNode;
  /** At the end of the line of the title: when. */
  when?: ReactNode;
  children?: ReactNode;
}>;

/** One step of a story, on the line that joins them. */
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
