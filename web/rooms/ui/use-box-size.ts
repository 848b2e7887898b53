import { useEffect, useState, type RefObject } from "react";
import type { Size } from "./letterbox.ts";

/** The size of an element, in CSS pixels, as it changes. */
export function useBoxSize(element: RefObject<HTMLElement | null>): Size {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  useEffect(() => {
    const box = element.current;
    if (box === null) {
      return undefined;
    }
    const observer = new ResizeObserver(() =>
      setSize({ width: box.clientWidth, height: box.clientHeight }),
    );
    observer.observe(box);
    return () => observer.disconnect();
  }, [element]);
  return size;
}
