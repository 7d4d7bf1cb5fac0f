/** What the answers are made of: Fastify compiles a serializer from it. */
const string = { type: 'string' } as const;
const integer = { type: 'integer' } as const;

const asked = { id: string, currency: string };
const ordered = { ...asked, customer: string, quantity: integer };
const item = { type: 'object', properties: { name: string, price: integer } };

export const HELLO_SCHEMA = answer({ message: string });
export const PARAMS_SCHEMA = answer(asked);
export const BODY_SCHEMA = answer(ordered);
export const HOOKS_SCHEMA = answer({ ...ordered, passed: integer });
export const TOKEN_SCHEMA = answer({ ...ordered, passed: integer, user: string });
export const ROW_SCHEMA = answer({ ...ordered, passed: integer, user: string, item });

function answer(properties: object) {
  return { 200: { type: 'object', properties } };
}
