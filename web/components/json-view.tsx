import { Copy } from "./copy.tsx";
import classes from "./json-view.module.css";

const pretty = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
};

/** A body or headers, pretty where it is JSON, copied as it was. */
export const JsonView = ({ text, name }: { text: string; name: string }) => (
  <div className={classes["box"]}>
    <div className={classes["copy"]}>
      <Copy value={text} name={name} />
    </div>
    <pre className={`mono ${classes["text"]}`} tabIndex={0} aria-label={name}>
      {pretty(text)}
    </pre>
  </div>
);
