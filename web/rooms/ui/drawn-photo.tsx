import { useState, type ReactNode, type Ref } from "react";
import { DrawingCanvas, type DrawingCanvasProps } from "./drawing-canvas.tsx";
import styles from "./drawing-canvas.module.css";
import type { Size } from "./letterbox.ts";

export type DrawnPhotoProps = Omit<DrawingCanvasProps, "picture"> &
  Readonly<{
    /** Undefined while it is not known: the drawing shows without the photo. */
    url: string | undefined;
    /** Empty where the drawing says it all. */
    alt: string;
    image?: Ref<HTMLImageElement>;
  }>;

/** A photo as large as its positioned parent, with what is drawn on it. */
export function DrawnPhoto({ url, alt, image, ...drawing }: DrawnPhotoProps): ReactNode {
  const [picture, setPicture] = useState<Size>();
  return (
    <>
      {url === undefined ? null : (
        <img
          ref={image}
          className={styles.photo}
          src={url}
          alt={alt}
          onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) =>
            setPicture({ width, height })
          }
        />
      )}
      <DrawingCanvas picture={picture} {...drawing} />
    </>
  );
}
