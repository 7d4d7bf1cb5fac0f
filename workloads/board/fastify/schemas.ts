/** What the answers are made of: Fastify compiles a serializer from it. */
const string = { type: 'string' } as const;
const integer = { type: 'integer' } as const;
const NAMED = { type: 'object', properties: { id: integer, name: string } } as const;

export const HOME_SCHEMA = {
  type: 'object',
  properties: { name: string, message: string, status: string },
} as const;

const POST = {
  type: 'object',
  properties: {
    id: integer,
    title: string,
    content: string,
    views: integer,
    createdAt: { type: 'string', format: 'date-time' },
    category: NAMED,
    writer: NAMED,
    comments: integer,
    likes: integer,
    liked: { type: 'boolean' },
  },
} as const;

export const LIST_SCHEMA = {
  type: 'object',
  properties: { posts: { type: 'array', items: POST } },
} as const;
