/** Keeps a form in sync with the server's values during editing. */
import type { UseFormReturnType } from "@mantine/form";
import { useEffect, useRef } from "react";
import { changedFields } from "../base/changed-fields.ts";

/** Applies the saved values. Edits made during the save stay, and count as unsaved. */
export function takeSaved<Values extends Record<string, unknown>>(
  form: UseFormReturnType<Values>,
  { sent, saved }: Readonly<{ sent: Values; saved: Values }>,
): void {
  form.setValues({ ...saved, ...changedFields(sent, form.getValues()) });
  form.resetDirty(saved);
}

/** Takes over the server's values when `version` changes, unless the form has unsaved edits. */
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
