/** What every server of this folder has: 199 resources with a parameter, orders, and middlewares that do little. */

export const RESOURCES = Array.from({ length: 199 }, (_, index) => index + 1);

export const pathOf = (resource) => `/resources-${resource}/:id`;

const MIDDLEWARES = 10;

/** Each notes something in the request, as those for logs, sessions and identities do. */
export const middlewares = Array.from({ length: MIDDLEWARES }, (_, index) => {
  return (request, _response, next) => {
    request[`middleware${index}`] = request.headers.host;
    next();
  };
});

export function receive({ items }) {
  const total = items.reduce((sum, { quantity, price }) => sum + quantity * price, 0);
  return { items: items.length, total };
}

/** Where it listens, as the harness says. */
export const address = {
  host: process.env.HOST ?? '127.0.0.1',
  port: Number(process.env.PORT ?? 0),
};
