/** The body of a request. */
export interface Order {
  customer: string;
  quantity: number;
  gift: boolean;
  tags: string[];
  delivery: { street: string; city: string };
}

/** What an order has to be, and nothing more; the rules of every validator are these. */
export const ORDER_SCHEMA = {
  type: 'object',
  required: ['customer', 'quantity', 'gift', 'tags', 'delivery'],
  additionalProperties: false,
  properties: {
    customer: { type: 'string', minLength: 1, maxLength: 100 },
    quantity: { type: 'integer', minimum: 1, maximum: 1000 },
    gift: { type: 'boolean' },
    tags: { type: 'array', maxItems: 5, items: { type: 'string' } },
    delivery: {
      type: 'object',
      required: ['street', 'city'],
      additionalProperties: false,
      properties: {
        street: { type: 'string', minLength: 1, maxLength: 100 },
        city: { type: 'string', minLength: 1, maxLength: 100 },
      },
    },
  },
} as const;
