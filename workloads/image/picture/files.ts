import { join } from 'node:path';

/** Where pictures are, and what they have to come to: made when they are first needed. */
export const PICTURES = join(import.meta.dirname, '..', 'dist');
/** The picture that every server is asked for. */
export const SOURCE = join(PICTURES, 'landscape.jpg');
export const SIZE = { width: 3000, height: 2000 };

/** The mix: no width comes so often that keeping its answer would pay. */
export const WIDTHS = [160, 240, 320, 480, 640, 800, 960, 1280, 1600, 1920];

/** What the picture should be at a width, before any encoding: raw RGB. */
export function referencePath(width: number): string {
  return join(PICTURES, `reference-${width}.rgb`);
}

/** The height that keeps the proportion at a width, rounded. */
export function heightAt(width: number): number {
  return Math.round((width * SIZE.height) / SIZE.width);
}
