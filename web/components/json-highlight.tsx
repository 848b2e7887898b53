import { memo } from "react";
import { toJsonRuns } from "../shared/json-runs.ts";
import classes from "./json-view.module.css";

const Runs = memo(({ json }: { json: string }) =>
  (toJsonRuns(json) ?? [{ kind: "sign" as const, text: json }]).map(({ kind, text }, index) =>
    kind === "sign" ? (
      text
    ) : (
      <span key={index} className={classes[kind]}>
        {text}
      </span>
    ),
  ),
);
Runs.displayName = "Runs";

/** Highlights JSON for `JsonView`: keys, strings, numbers and literals. */
export function highlightJson(json: string) {
  return <Runs json={json} />;
}
