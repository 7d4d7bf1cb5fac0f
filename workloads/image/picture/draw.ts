/** A picture as it is before any encoding: rows of red, green and blue, a byte each. */
export interface Pixels {
  width: number;
  height: number;
  data: Uint8Array;
}

/** Value noise in octaves: the edge of a cell, pixels, and how far it moves a value at the most. */
const OCTAVES = [
  { cell: 256, most: 44 },
  { cell: 64, most: 28 },
  { cell: 16, most: 18 },
  { cell: 4, most: 14 },
  { cell: 2, most: 16 },
  { cell: 1, most: 10 },
];
/** Squares with discs in them and bars of growing width beside them: edges of all directions and sizes. */
const TILE = 250;
const BARS_FROM = 190;
/** Fixed point, since integers are the same on every machine and in every version of a runtime. */
const ONE = 1 << 12;

/**
 * The picture of a seed: gradients, value noise over them, and hard edges. It is made of integers alone, so
 * that a seed means the same pixels everywhere.
 */
export function draw(seed: number, width: number, height: number): Pixels {
  const data = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const noise = noiseAt(seed, x, y);
      const edge = edgeAt(seed, x, y);
      const at = (y * width + x) * 3;
      const across = Math.floor((x * 160) / width);
      const down = Math.floor((y * 160) / height);
      data[at] = clamp(40 + across + noise + edge);
      data[at + 1] = clamp(40 + down + noise + edge);
      data[at + 2] = clamp(200 - ((across + down) >> 1) + noise + (edge >> 1));
    }
  }
  return { width, height, data };
}

function noiseAt(seed: number, x: number, y: number): number {
  let sum = 0;
  for (const [place, { cell, most }] of OCTAVES.entries()) {
    const [left, top] = [Math.floor(x / cell), Math.floor(y / cell)];
    const across = smooth(Math.floor(((x % cell) * ONE) / cell));
    const down = smooth(Math.floor(((y % cell) * ONE) / cell));
    const corner = (dx: number, dy: number) => {
      return (hash(seed + place, left + dx, top + dy) % (2 * most + 1)) - most;
    };
    const upper = corner(0, 0) * (ONE - across) + corner(1, 0) * across;
    const lower = corner(0, 1) * (ONE - across) + corner(1, 1) * across;
    sum += Math.floor((upper * (ONE - down) + lower * down) / (ONE * ONE));
  }
  return sum;
}

/** How much lighter a pixel is by the shape that it is in; 0 in none. */
function edgeAt(seed: number, x: number, y: number): number {
  const [column, row] = [Math.floor(x / TILE), Math.floor(y / TILE)];
  const [dx, dy] = [x % TILE, y % TILE];
  const drawn = hash(seed + OCTAVES.length, column, row);
  const light = 30 + (drawn % 50);
  if (dx >= BARS_FROM) {
    const bar = 2 + (drawn % 7);
    return Math.floor((drawn & 8 ? dx + dy : dy) / bar) % 2 === 0 ? light : 0;
  }
  const radius = 30 + (drawn % 55);
  const isInside = (dx - 95) ** 2 + (dy - 125) ** 2 < radius ** 2;
  return isInside ? -light : 0;
}

/** 3t² − 2t³ in fixed point. */
function smooth(t: number): number {
  return Math.floor((t * t * (3 * ONE - 2 * t)) / (ONE * ONE));
}

/** Thirty-one bits that look drawn, of three integers. */
function hash(seed: number, x: number, y: number): number {
  let bits = Math.imul(seed, 0x9e3779b1) ^ Math.imul(x, 0x85ebca6b) ^ Math.imul(y, 0xc2b2ae35);
  bits = Math.imul(bits ^ (bits >>> 15), 0x2c1b3c6d);
  bits = Math.imul(bits ^ (bits >>> 12), 0x297a2d39);
  return (bits ^ (bits >>> 15)) & 0x7fffffff;
}

function clamp(value: number): number {
  return Math.max(0, Math.min(255, value));
}
