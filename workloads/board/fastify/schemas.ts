/** What the answers are made of: Fastify compiles a serializer from it. */
const string = { type: 'string' } as const;
const integer = { type: 'integer' } as const;
const boolean = { type: 'boolean' } as const;

function answerOf<Result>(result: Result) {
  return { type: 'object', properties: { success: boolean, error: string, result } } as const;
}

export const HOME_SCHEMA = answerOf({
  type: 'object',
  properties: {
    success: boolean,
    officialWebsite: string,
    version: string,
    license: string,
    github: string,
  },
});

export const LIST_SCHEMA = answerOf({
  type: 'array',
  items: {
    type: 'object',
    properties: {
      uid: integer,
      title: string,
      content: string,
      submitted: integer,
      modified: integer,
      hit: integer,
      status: integer,
      category: { type: 'object', properties: { uid: integer, name: string } },
      cover: string,
      comment: integer,
      like: integer,
      liked: boolean,
      writer: {
        type: 'object',
        properties: { uid: integer, name: string, profile: string, signature: string },
      },
      id: string,
      type: integer,
      useCategory: boolean,
    },
  },
});
