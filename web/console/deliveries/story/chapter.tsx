import type { ReactNode } from "react";
import { Mark, type Look } from "../../../components/timeline/mark.tsx";
import classes from "./story.module.css";

type ChapterProps = Readonly<{
  icon: Look["icon"];
  meaning?: Look["meaning"];
  title: ReactNode;
  /** At the end of the line of the title: when. */
  when?: ReactNode;
  children?: ReactNode;
}>;

/** One step of a story, on the line that joins them. */
export function Chapter({ icon, meaning = "neutral", title, when, children }: ChapterProps) {
  return (
    <li className={classes["chapter"]}>
      <Mark icon={icon} meaning={meaning} />
      <div className={classes["body"]}>
        <div className={classes["title"]}>
          <h2>{title}</h2>
          <span className={classes["when"]}>{when}</span>
        </div>
        {children}
      </div>
    </li>
  );
}
