import type { ReactNode } from "react";
import { pretty } from "../shared/pretty.ts";
import { CopyValueButton } from "./copy-button.tsx";
import classes from "./json-view.module.css";

type JsonViewProps = Readonly<{
  text: string;
  name: string;
  /** Renders JSON with syntax highlighting; the default is plain text. */
  draw?: (json: string) => ReactNode;
}>;

/** A body or headers. Pretty-prints JSON up to a size limit, but copies the original text. */
export function JsonView({ text, name, draw = (json) => json }: JsonViewProps) {
  const json = pretty(text);
  return (
    <div className={classes["box"]}>
      <div className={classes["copy"]}>
        <CopyValueButton value={text} name={name} />
      </div>
      <pre className={`mono ${classes["text"]}`} tabIndex={0} aria-label={name}>
        {json === undefined ? text : draw(json)}
      </pre>
    </div>
  );
}
