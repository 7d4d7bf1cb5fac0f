import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastify from 'fastify';
import sharp from 'sharp';

const {
  HOST = '127.0.0.1',
  PORT,
  PICTURES = '',
  SHRINK_ON_LOAD,
  PROGRESSIVE,
  THREADS,
} = process.env;
const QUALITY = 80;
/** The widest picture that is made, as in every server here. */
const WIDEST = 4000;

sharp.cache(false);
// For each picture; as many pictures are worked on at once as UV_THREADPOOL_SIZE says.
sharp.concurrency(Number(THREADS));

const params = {
  type: 'object',
  properties: { name: { type: 'string', pattern: '^[^./\\\\][^/\\\\]*$' } },
};
const querystring = {
  type: 'object',
  properties: { w: { type: 'integer', minimum: 1, maximum: WIDEST } },
  required: ['w'],
};

const app = fastify();
app.get<{ Params: { name: string }; Querystring: { w: number } }>(
  '/image/file/:name',
  { schema: { params, querystring } },
  async ({ params: { name }, query: { w } }, reply) => {
    const path = join(PICTURES, name);
    if (!existsSync(path)) return reply.callNotFound();
    reply.type('image/jpeg');
    return resized(path, w);
  },
);
await app.listen({ host: HOST, port: Number(PORT) });

/** A JPEG of this width of the picture in a file, in proportion. */
async function resized(path: string, width: number): Promise<Buffer> {
  const picture = sharp(path);
  if (SHRINK_ON_LOAD !== 'on') {
    // Cutting out the whole of it first keeps sharp from shrinking while it decodes; nothing else does.
    const { width: all, height } = await picture.metadata();
    picture.extract({ left: 0, top: 0, width: all, height });
  }
  return picture
    .resize({ width, kernel: 'lanczos3' })
    .jpeg({
      quality: QUALITY,
      chromaSubsampling: '4:2:0',
      optimiseCoding: false,
      progressive: PROGRESSIVE === 'on',
    })
    .toBuffer();
}
