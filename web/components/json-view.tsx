import { pretty } from "../look/pretty.ts";
import { Copy } from "./copy.tsx";
import classes from "./json-view.module.css";

/** A body or headers, pretty where it is JSON and not too much for that, copied as it was. */
export const JsonView = ({ text, name }: { text: string; name: string }) => (
  <div className={classes["box"]}>
    <div className={classes["copy"]}>
      <Copy value={text} name={name} />
    </div>
    <pre className={`mono ${classes["text"]}`} tabIndex={0} aria-label={name}>
      {pretty(text) ?? text}
    </pre>
  </div>
);
