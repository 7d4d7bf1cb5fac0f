import type { IncomingMessage } from 'node:http';
import type { Asked } from 'ladder-common/answers';
import { HttpError } from 'ladder-common/errors';

const ITEMS = '/items/';

/** `/items/42?currency=EUR`, taken apart. */
export function askedOf({ url = '' }: IncomingMessage): Asked {
  const mark = url.indexOf('?');
  const end = mark === -1 ? url.length : mark;
  const query = new URLSearchParams(url.slice(end));
  return {
    id: decodeURIComponent(url.slice(ITEMS.length, end)),
    currency: query.get('currency') ?? '',
  };
}

/** What a body holds. @throws HttpError where that is no JSON. */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = await new Promise((resolve, reject) => {
    const read: Buffer[] = [];
    request.on('data', (chunk: Buffer) => read.push(chunk));
    request.once('end', () => resolve(read));
    request.once('error', reject);
  });
  try {
    return JSON.parse(Buffer.concat(chunks).toString());
  } catch {
    throw new HttpError(400);
  }
}
