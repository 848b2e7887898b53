import type { Icon } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { Meaning } from "../../../components/meaning.ts";
import classes from "./story.module.css";

type ChapterProps = Readonly<{
  icon: Icon;
  meaning?: Meaning;
  title: ReactNode;
  /** At the end of the line of the title: when. */
  when?: ReactNode;
  children?: ReactNode;
}>;

/** One step of a story, on the line that joins them. */
export const Chapter = ({
  icon: Picture,
  meaning = "neutral",
  title,
  when,
  children,
}: ChapterProps) => (
  <li className={classes["chapter"]}>
    <span className={classes["mark"]} data-meaning={meaning} aria-hidden>
      <Picture size={15} stroke={1.8} />
    </span>
    <div className={classes["body"]}>
      <div className={classes["title"]}>
        <h2>{title}</h2>
        <span className={classes["when"]}>{when}</span>
      </div>
      {children}
    </div>
  </li>
);
