import type { Ad, Image } from './ads.js';
import type { Asset } from './request.js';

/** An asset of a placement with what an ad has for it. */
export type ServedAsset =
  | { id: number; title: { text: string } }
  | { id: number; img: Image }
  | { id: number; data: { value: string } };

/** How an ad serves an asset; null where it can't. */
export function serve({ id, title, img, data }: Asset, ad: Ad): ServedAsset | null {
  if (title) return length(ad.title) > title.len ? null : { id, title: { text: ad.title } };
  if (img) {
    const image = imageOf(ad, img.type);
    if (image === null || image.w < img.wmin || image.h < img.hmin) return null;
    return { id, img: { url: image.url, w: image.w, h: image.h } };
  }
  if (data) {
    const value = textOf(ad, data.type);
    return value === '' || length(value) > data.len ? null : { id, data: { value } };
  }
  return null;
}

/** Types of images and of data in OpenRTB Native 1.2. */
const ICON = 1;
const MAIN = 3;
const SPONSORED = 1;
const DESCRIPTION = 2;

function imageOf({ icon, image }: Ad, type: number): Image | null {
  if (type === ICON) return icon;
  return type === MAIN ? image : null;
}

function textOf({ sponsor, description }: Ad, type: number): string {
  if (type === SPONSORED) return sponsor;
  return type === DESCRIPTION ? description : '';
}

/** Characters as Unicode counts them, the same in all languages: a pair of surrogates is one. */
function length(text: string): number {
  let count = text.length;
  for (let at = 0; at < text.length - 1; at++) {
    if (text.charCodeAt(at) >>> 10 === 0x36 && text.charCodeAt(at + 1) >>> 10 === 0x37) count--;
  }
  return count;
}
