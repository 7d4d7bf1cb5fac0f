/** The loads of a run of the image servers: as much as each answers, and two rates. */
export const LIMIT = 'limit';
export const SERVED = 'served';
export const OVERLOADED = 'overloaded';

/** The targets that published claims are about, and the one that shares its library with one of them. */
export const PHP = 'php-imagick';
export const GO_FIRST = 'go-nfnt';
export const GO_VIPS = 'go-vips';
export const NODE_VIPS = 'sharp';

/** Whether a claim or what it is held against is about this target. */
export function isOfClaims({ name }: { name: string }): boolean {
  return [PHP, GO_FIRST, GO_VIPS, NODE_VIPS].includes(name);
}
