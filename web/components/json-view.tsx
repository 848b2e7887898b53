import type { ReactNode } from "react";
import { pretty } from "../shared/pretty.ts";
import { CopyValueButton } from "./copy-button.tsx";
import classes from "./json-view.module.css";

type JsonViewProps = Readonly<{
  text: string;
  name: string;
  /** Draws what is JSON in another way than as plain text: in colours. */
  draw?: (json: string) => ReactNode;
}>;

/** A body or headers, pretty where it is JSON and not too much for that, copied as it was. */
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
