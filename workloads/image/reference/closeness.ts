/**
 * The least that an answer may be, dB. At every width of the mix Lanczos3 of any library is above it with some
 * room, and nearest-neighbour and a shift by one pixel are below.
 */
export const LEAST_DB = 32;

/**
 * How close two pictures of one size are: their peak signal-to-noise ratio, dB; the same picture is infinitely
 * close. 10 log10(255² / mean squared error), as ISO/IEC 29170-1 has it.
 */
export function closenessOf(one: Float64Array, other: Float64Array): number {
  if (one.length !== other.length) throw new Error('the pictures are of different sizes');
  let squares = 0;
  for (let at = 0; at < one.length; at++) squares += ((one[at] ?? 0) - (other[at] ?? 0)) ** 2;
  return 10 * Math.log10((255 ** 2 * one.length) / squares);
}

/**
 * How light the pixels of a raw RGB picture are, as JPEG weighs colours (ITU-R BT.601). Colours themselves are
 * sampled at half the size in every answer, which would be most of the difference.
 */
export function lightOf(rgb: Uint8Array): Float64Array {
  const light = new Float64Array(rgb.length / 3);
  for (let pixel = 0, at = 0; pixel < light.length; pixel++, at += 3) {
    light[pixel] = 0.299 * (rgb[at] ?? 0) + 0.587 * (rgb[at + 1] ?? 0) + 0.114 * (rgb[at + 2] ?? 0);
  }
  return light;
}
