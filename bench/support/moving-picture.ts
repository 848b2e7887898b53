/** A video for Chromium's fake camera that is as hard to encode as that of a hand-held camera. */
import { open } from "node:fs/promises";

const width = 1_280;
const height = 720;
const frames = 15;

/** Movement of the texture in pixels per frame. */
const step = 8;

/** Writes a Y4M file of half a second, which Chromium repeats: 20 MB. */
export async function writeMovingPicture(path: string): Promise<void> {
  const texture = makeTexture();
  const colors = Buffer.alloc((width * height) / 2, 128);
  const file = await open(path, "w");
  await file.write(`YUV4MPEG2 W${width} H${height} F30:1 Ip A1:1 C420jpeg\n`);
  for (let frame = 0; frame < frames; frame += 1) {
    // Moves there and back, so that the loop does not jump.
    const shift = step * Math.min(frame, frames - 1 - frame);
    await file.write("FRAME\n");
    await file.write(frameOf(texture, shift));
    await file.write(colors);
  }
  await file.close();
}

const textureWidth = width + step * frames;
const blockSize = 16;

/** Blocks of random brightness. */
function makeTexture(): Uint8Array {
  const texture = new Uint8Array(textureWidth * height);
  const perRow = Math.ceil(textureWidth / blockSize);
  const blocks = Array.from({ length: perRow * (height / blockSize) }, () => 64 + random(128));
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < textureWidth; x += 1) {
      const block = Math.floor(y / blockSize) * perRow + Math.floor(x / blockSize);
      texture[y * textureWidth + x] = blocks[block] ?? 128;
    }
  }
  return texture;
}

/** Amplitude of simulated sensor noise, which differs in each frame. */
const noise = 8;

function frameOf(texture: Uint8Array, shift: number): Buffer {
  const frame = Buffer.alloc(width * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      frame[y * width + x] = (texture[y * textureWidth + x + shift] ?? 128) + random(noise);
    }
  }
  return frame;
}

function random(below: number): number {
  return Math.floor(Math.random() * below);
}
