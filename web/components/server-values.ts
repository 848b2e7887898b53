/** How a form and what the server has go together, while somebody types. */
import type { UseFormReturnType } from "@mantine/form";
import { useEffect, useRef } from "react";

/**
 * What was saved, as the server has it now. What somebody typed while it was sent stays, and is not
 * saved yet.
 */
export function takeSaved<Values extends Record<string, unknown>>(
  form: UseFormReturnType<Values>,
  { sent, saved }: Readonly<{ sent: Values; saved: Values }>,
): void {
  const isUntouched = JSON.stringify(form.getValues()) === JSON.stringify(sent);
  if (isUntouched) {
    form.setValues(saved);
  }
  form.resetDirty(saved);
}

/** Takes what the server has by now, told by a new `version`, where nobody has typed anything. */
export function useServerValues<Values extends Record<string, unknown>>(
  form: UseFormReturnType<Values>,
  { values, version }: Readonly<{ values: Values; version: string | undefined }>,
): void {
  const seen = useRef(version);
  useEffect(() => {
    if (seen.current !== version) {
      seen.current = version;
      if (!form.isDirty()) {
        form.setValues(values);
        form.resetDirty(values);
      }
    }
  });
}
